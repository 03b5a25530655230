//! Reading and printing Boolean programs: what is printed is read as the same, errors say where and what.

use raddle_bp::program::{MAXIMUM_DEPTH, MAXIMUM_NESTING, parse, print};

/// Reads, prints, reads and prints again.
fn round_trip(text: &str) -> String {
    let program = parse(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let printed = print(&program);
    let again = parse(&printed).unwrap_or_else(|error| panic!("printed text: {error}\n{printed}"));
    assert_eq!(again, program, "{printed}");
    assert_eq!(print(&again), printed);
    printed
}

/// The statement as it is printed, in a procedure of its own.
fn statement(text: &str) -> String {
    let printed = round_trip(&format!("void main() begin {text} end"));
    let inside =
        printed.strip_prefix("void main() begin\n").and_then(|t| t.strip_suffix("end\n")).expect("frame");
    let lines: Vec<&str> = inside.lines().map(|line| line.strip_prefix("    ").unwrap_or(line)).collect();
    lines.join("\n")
}

fn value(text: &str) -> String {
    let printed = statement(&format!("x := {text};"));
    printed.strip_prefix("x := ").and_then(|t| t.strip_suffix(';')).expect("an assignment").to_owned()
}

fn error(text: &str) -> String {
    match parse(text) {
        Ok(program) => panic!("read: {program:?}"),
        Err(error) => error.to_string(),
    }
}

fn error_in_body(text: &str) -> String {
    error(&format!("void main() begin\n{text}\nend"))
}

#[test]
fn every_statement_is_printed_in_one_form() {
    for (text, printed) in [
        ("skip;", "skip;"),
        ("decl a,b;", "decl a, b;"),
        ("enforce(a&b);", "enforce (a & b);"),
        ("goto L1,2;", "goto L1, 2;"),
        ("return;", "return;"),
        ("return a,!b;", "return a, !b;"),
        ("a,b:=b,a;", "a, b := b, a;"),
        ("a := * constrain 'a | b';", "a := * constrain 'a | 'b;"),
        ("f();", "f();"),
        ("a,b:=f(1,*);", "a, b := f(1, *);"),
        ("assert a;", "assert (a);"),
        ("assume(a);", "assume (a);"),
        ("dead a, b;", "dead a, b;"),
        ("dead;", "dead;"),
        ("print(a, b);", "print(a, b);"),
        ("start_thread L;", "start_thread goto L;"),
        ("start_thread goto 12;", "start_thread goto 12;"),
        ("start_thread f(a);", "start_thread f(a);"),
        ("end_thread;", "end_thread;"),
        ("thread_end;", "end_thread;"),
        ("atomic_begin;", "atomic_begin;"),
        ("atomic_end;", "atomic_end;"),
        ("ASYNC_1: f();", "ASYNC_1: f();"),
        ("A:B:12:skip;", "A: B: 12: skip;"),
        ("{x==1} := {p->q};", "{x==1} := {p->q};"),
        ("c$$main();", "c$$main();"),
        ("if a then skip; fi", "if (a) then\n    skip;\nfi"),
        ("if (a) then fi;", "if (a) then\nfi"),
        ("if (a)&b then skip; else ; skip;; fi;", "if (a & b) then\n    skip;\nelse\n    skip;\nfi"),
        (
            "L: if a then elsif b then skip; elsif c then else fi",
            "L: if (a) then\nelsif (b) then\n    skip;\nelsif (c) then\nelse\nfi",
        ),
        ("while * do skip; od;", "while (*) do\n    skip;\nod"),
    ] {
        assert_eq!(statement(text), printed, "{text}");
    }
}

#[test]
fn operators_bind_as_in_the_old_tools() {
    for (text, printed) in [
        ("a|b&c", "a | b & c"),
        ("(a|b)&c", "(a | b) & c"),
        ("a&b=c", "a & b = c"),
        ("a&(b=c)", "a & b = c"),
        ("(a&b)=c", "(a & b) = c"),
        ("a^b|c", "a ^ b | c"),
        ("a^(b|c)", "a ^ (b | c)"),
        ("a^b&c", "a ^ b & c"),
        ("!a=b", "!a = b"),
        ("!(a=b)", "!(a = b)"),
        ("!!~a", "!!!a"),
        ("a=b!=c", "a = b != c"),
        ("a=(b!=c)", "a = (b != c)"),
        ("a == b <> c", "a = b != c"),
        ("a && b || c", "a & b | c"),
        ("a|b=>c", "a | b => c"),
        ("a=>b&c", "a => b & c"),
        ("a==>(b|c)", "a => (b | c)"),
        ("(a=>b)|c", "(a => b) | c"),
        ("(a=>b)=>c", "(a => b) => c"),
        ("a|(b|c)", "a | (b | c)"),
        ("a|b|c", "a | b | c"),
        ("a?b:c", "a ? b : c"),
        ("a?b?c:d:e", "a ? b ? c : d : e"),
        ("(a?b:c)?d:(e?f:g)", "(a ? b : c) ? d : (e ? f : g)"),
        ("a|(b?c:d)", "a | (b ? c : d)"),
        ("T&F|true&false|0|1", "1 & 0 | 1 & 0 | 0 | 1"),
        ("schoose[a|b,*]", "schoose[a | b, *]"),
        ("!schoose[F,F]", "!schoose[0, 0]"),
        ("*&!*", "* & !*"),
    ] {
        assert_eq!(value(text), printed, "{text}");
    }
}

#[test]
fn what_the_old_tools_group_differently_is_refused() {
    assert_eq!(
        error_in_body("x := a => b | c;"),
        "2:13: found `|`, expected no `=>` or `|` after an implication (tools group `a => b | c` differently: add \
         parentheses)"
    );
    assert!(error_in_body("x := a => b => c;").starts_with("2:13: found `=>`"));
    assert!(error_in_body("x := a ? b : c ? d : e;").starts_with("2:16: found `?`"));
}

#[test]
fn errors_say_where_and_what_was_expected() {
    for (text, message) in [
        ("x", "1:2: found the end of the text, expected `(` and the parameters"),
        ("decl x", "1:7: found the end of the text, expected `;` after the statement"),
        ("decl ;", "1:6: found `;`, expected the name of a variable"),
        (
            "decl skip;",
            "1:6: found `skip`, expected the name of a variable (`skip` is a word of the language and cannot be a name)",
        ),
        (
            "void f( begin",
            "1:9: found `begin`, expected a parameter (`begin` is a word of the language and cannot be a name)",
        ),
        (
            "void f() begin skip; ",
            "1:22: found the end of the text, expected a statement or `end` of the procedure",
        ),
        ("void f() begin skip skip; end", "1:21: found `skip`, expected `;` after the statement"),
        ("void f() begin x = 1; end", "1:18: found `=`, expected `:=`, `,`, `:` or `(` after the name"),
        ("void f() begin x := 2; end", "1:21: found `2`, expected `0` or `1`: there are no other numbers"),
        ("void f() begin x := ; end", "1:21: found `;`, expected an expression"),
        (
            "void f() begin x := 1 & f(); end",
            "1:26: found `(`, expected an operator or the end of the expression (a call is a statement of its own: \
             `x := f();`)",
        ),
        ("void f() begin fi end", "1:16: found `fi`, expected a statement or `end` of the procedure"),
        (
            "void f() begin if a then skip; end",
            "1:32: found `end`, expected a statement, `elsif`, `else` or `fi`",
        ),
        ("void f() begin while a skip; od end", "1:24: found `skip`, expected `do` after the condition"),
        ("void f() begin L: end", "1:19: found `end`, expected a statement"),
        ("decl x;\n\n  @", "3:3: found the character '@', which is not part of the language"),
        ("/* a", "1:1: this comment has no end (write `*/` after it)"),
        ("decl {ab\n}", "1:6: found `{`, which begins a name, without `}` on its line"),
        ("decl {};", "1:6: a name is empty"),
        ("decl thread_local x;", "1:6: `thread_local` is not supported"),
        ("void f() begin sync x; end", "1:16: `sync` is not supported"),
        (
            "void f() begin end decl x;",
            "1:20: found `decl`, expected a procedure (shared variables are declared before the first procedure, local \
             ones after `begin`)",
        ),
        ("bool<99999999999999999999> f() begin end", "1:6: a procedure returns at most 100000 values"),
        ("é", "1:1: found the character 'é', which is not part of the language"),
    ] {
        assert_eq!(error(text), message, "{text}");
    }
}

#[test]
fn deep_nesting_is_an_error_and_not_a_crash() {
    let far = 1_000_000;
    let limit = format!("more than {MAXIMUM_NESTING} parentheses");
    assert!(error_in_body(&format!("x := {}a", "(".repeat(far))).contains(&limit));
    assert!(error_in_body(&format!("x := {}a", "!".repeat(far))).contains(&limit));
    assert!(error_in_body(&"if * then ".repeat(far)).contains(&limit));
    assert!(error_in_body(&"while * do ".repeat(far)).contains(&limit));
    assert!(error_in_body(&format!("x := {}", "a ? ".repeat(far))).contains(&limit));
    assert!(error_in_body(&format!("x := {}", "schoose[".repeat(far))).contains(&limit));
    assert!(error_in_body(&format!("x := a{};", "& a".repeat(far))).contains("nested operators"));
}

#[test]
fn the_limits_are_reached_exactly_and_printed_text_keeps_them() {
    round_trip(&format!("void f() begin x := a{}; end", "& a".repeat(MAXIMUM_DEPTH)));
    round_trip(&format!(
        "void f() begin x := {}a{}; end",
        "!(a|".repeat(MAXIMUM_NESTING / 2),
        ")".repeat(MAXIMUM_NESTING / 2)
    ));
    let ifs = MAXIMUM_NESTING;
    round_trip(&format!("void f() begin {} {} end", "if a then ".repeat(ifs), "fi ".repeat(ifs)));
    round_trip(&format!("void f() begin assert {}a{}; end", "!".repeat(ifs - 1), " | b"));
    let too_many = format!("void f() begin {} {} end", "if a then ".repeat(ifs + 1), "fi ".repeat(ifs + 1));
    assert!(parse(&too_many).is_err());
    round_trip(&format!("void f() begin x := {}a{}; end", "a ? ".repeat(ifs), ": b".repeat(ifs)));
}

#[test]
fn comments_and_empty_lines_stay() {
    let text = "\
// first
decl a; // shared
/* two
   lines */ decl b;


// about main
void main() // heading
begin /* begun */
    // inside
    a := /* why */ b; // after


    if a /* condition */ then // then
        skip; /* one */ // two
        // last of the branch
    else // else
        // nothing
    fi; // end of the choice
    // last
end // done
// end of file";
    let expected = "\
// first
decl a; // shared
/* two
   lines */
decl b;

// about main
// heading
void main() begin /* begun */
    // inside
    /* why */
    a := b; // after

    /* condition */
    if (a) then // then
        skip; /* one */ // two
        // last of the branch
    else // else
        // nothing
    fi // end of the choice
    // last
end // done
// end of file
";
    assert_eq!(round_trip(text), expected);
}

#[test]
fn long_statements_are_broken_between_words() {
    let names: Vec<String> = (0..60).map(|n| format!("variable{n}")).collect();
    let text = format!("void f() begin {} := {}; end", names.join(","), names.join("|") + &",0".repeat(59));
    let printed = round_trip(&text);
    assert!(printed.lines().all(|line| line.chars().count() <= 110), "{printed}");
    assert!(printed.lines().count() > 10);
}

#[test]
fn any_prefix_of_a_program_is_read_or_refused() {
    let text = "decl a; bool<2> f(x, y) begin enforce (x => y); L: 3: a, x := !y', schoose[a, *] constrain 'a = (x ? 1 : y); \
                if (*) then start_thread goto L; elsif a then goto L, 3; else ASYNC_1: f(a, T); fi \
                while (!a) do assume(x ^ y); od; return x, y; end // {é}";
    round_trip(text);
    for (end, _) in text.char_indices() {
        let _ = parse(&text[..end]);
        let _ = parse(&text[end..]);
    }
}

#[test]
fn comments_in_a_heading_join_those_above_it() {
    let heading = |text: &str| round_trip(&format!("decl a;\n{text}\n    skip;\nend\n"));
    let printed = heading("// above\nvoid main() /* inside */ begin");
    assert_eq!(printed, "decl a;\n\n// above\n/* inside */\nvoid main() begin\n    skip;\nend\n");
    heading("void main() /* alone */ begin");
    heading("/* two\nlines */\nvoid main() /* inside */ begin");
    heading("// above\n\n// nearer\nvoid main()\n\n\n/* inside */\n\nbegin");
    round_trip(
        "/* first */ void f() /* in */ begin end /* behind */ /* above */\n// and\nvoid main() begin end",
    );
}
