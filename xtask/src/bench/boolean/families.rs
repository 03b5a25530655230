//! Concurrent Boolean programs with parameters: families of what threads do with each other, from two threads on.
//!
//! The same parameters give the same text. They were written down before any engine was measured on them and are not
//! tuned: some suit one engine, some another, some nobody.

use std::fmt::Write;

/// A program, and how many threads it has.
pub struct Instance {
    pub name: String,
    pub text: String,
    /// Threads at the start, and at most.
    pub initial: usize,
    pub most: usize,
}

/// All instances, by families and rising parameters.
pub fn all(bluetooth: &str) -> Vec<Instance> {
    let mut all = Vec::new();
    let mut add = |name: String, text: String, initial: usize, most: usize| {
        all.push(Instance { name, text, initial, most });
    };
    for threads in 2..=6 {
        add(format!("bluetooth-{threads}"), bluetooth.to_owned(), threads, threads);
    }
    for threads in 2..=5 {
        for bits in [2, 4] {
            add(format!("locked-counter-{bits}-{threads}"), locked_counter(bits, true), threads, threads);
            add(format!("torn-counter-{bits}-{threads}"), locked_counter(bits, false), threads, threads);
        }
        for steps in [4, 8, 16] {
            add(format!("local-work-{steps}-{threads}"), local_work(steps), threads, threads);
        }
        for locals in [3, 6, 9] {
            add(format!("any-locals-{locals}-{threads}"), any_locals(locals), threads, threads);
        }
        for phases in [1, 3] {
            add(format!("phases-{phases}-{threads}"), phases_of(phases), threads, threads);
        }
        add(format!("readers-writers-{threads}"), readers_writers(), threads, threads);
        add(format!("ticket-lock-{threads}"), ticket_lock(), threads, threads);
        add(format!("initialise-once-{threads}"), initialise_once(true), threads, threads);
        add(format!("initialise-twice-{threads}"), initialise_once(false), threads, threads);
        add(format!("transfers-{threads}"), transfers(), threads, threads);
    }
    for pairs in 1..=3 {
        for length in [3, 6] {
            add(format!("pairs-{pairs}-{length}"), pairs_of(pairs, length), 1, 2 * pairs + 1);
        }
    }
    for bits in [3, 4, 5, 6] {
        for others in 1..=2 {
            add(format!("count-and-flag-{bits}-{others}"), count_and_flag(bits, others), 1, others + 2);
        }
    }
    for threads in 2..=5 {
        add(format!("philosophers-{threads}"), philosophers(threads, true), 1, threads + 1);
        add(format!("greedy-philosophers-{threads}"), philosophers(threads, false), 1, threads + 1);
        add(format!("workers-{threads}"), workers(threads), 1, threads + 1);
        add(format!("ring-{threads}"), ring(threads), 1, threads + 1);
    }
    for bits in [1, 2, 3] {
        add(format!("buffer-{bits}-2"), buffer(bits), 2, 2);
        add(format!("buffer-{bits}-3"), buffer(bits), 3, 3);
        add(format!("peterson-{bits}"), peterson(bits), 1, 3);
    }
    all
}

fn names(prefix: &str, count: usize) -> String {
    (0..count).map(|index| format!("{prefix}{index}")).collect::<Vec<_>>().join(", ")
}

fn values(value: &str, count: usize) -> String {
    vec![value; count].join(", ")
}

/// `targets := sources + 1`, the lowest bit first.
fn increment(target: &str, source: &str, bits: usize) -> String {
    let sum = |bit: usize| {
        let carry = (0..bit).map(|below| format!("{source}{below}")).collect::<Vec<_>>().join(" & ");
        if bit == 0 { format!("!{source}0") } else { format!("({source}{bit} ^ ({carry}))") }
    };
    format!("{} := {};", names(target, bits), (0..bits).map(sum).collect::<Vec<_>>().join(", "))
}

/// Everything is set once, by the first thread that comes.
fn set_up(variables: &str, count: usize) -> String {
    format!(
        "  assume (!ready);\n  atomic_begin;\n  if (!ready) then {variables}, ready := {}, T; fi\n  atomic_end;\n",
        values("F", count)
    )
}

/// Threads count in a loop: read, add, write. With a lock, what was read is still there; without, it is not.
fn locked_counter(bits: usize, locked: bool) -> String {
    let (take, leave) =
        if locked { ("    lock := T constrain !lock;\n", "    lock := F;\n") } else { ("", "") };
    let same = (0..bits).map(|bit| format!("(c{bit} = l{bit})")).collect::<Vec<_>>().join(" & ");
    format!(
        "decl ready, lock, {c};\nvoid main() begin\n  decl {l};\n{setup}  while (*) do\n{take}    {l} := {c};\n    \
         assert ({same});\n    {increment}\n{leave}  od\nend\n",
        c = names("c", bits),
        l = names("l", bits),
        setup = set_up(&format!("lock, {}", names("c", bits)), bits + 1),
        increment = increment("c", "l", bits),
    )
}

/// Much that nobody else sees, then one step that everybody does.
fn local_work(steps: usize) -> String {
    let mut text = format!("decl ready, x;\nvoid main() begin\n  decl a, b, c;\n{}", set_up("x", 1));
    text += "  a, b, c := F, F, F;\n";
    for step in 0..steps {
        let _ = writeln!(text, "  a, b, c := {};", ["!a, a, b", "b, c, a", "a ^ b, b, !c"][step % 3]);
    }
    text + "  x := x ^ a;\n  assert (x | !x);\nend\n"
}

/// Local variables with any value, kept apart by what the program demands of them.
fn any_locals(locals: usize) -> String {
    let l = names("l", locals);
    let some = (0..locals).map(|index| format!("l{index}")).collect::<Vec<_>>().join(" | ");
    let shifted: Vec<String> = (0..locals).map(|index| format!("l{}", (index + 1) % locals)).collect();
    format!(
        "decl ready, x, y;\nvoid main() begin\n  decl {l};\n{}  {l} := {};\n  assume ({some});\n  x := l0;\n  {l} := {};\n  \
         y := x ^ l{};\n  assert ({some});\nend\n",
        set_up("x, y", 2),
        values("*", locals),
        shifted.join(", "),
        locals - 1,
    )
}

/// All threads leave a phase before one enters the next: a barrier of one counter and one sense.
fn phases_of(phases: usize) -> String {
    let mut text = format!("decl ready, s, n0, n1, n2;\nvoid main() begin\n{}", set_up("s, n0, n1, n2", 4));
    for phase in 0..phases {
        let (here, there) = if phase % 2 == 0 { ("!s", "T") } else { ("s", "F") };
        let _ = write!(
            text,
            "  atomic_begin;\n  {}\n  if (n0 & n1 & !n2) then n0, n1, n2, s := F, F, F, {there}; fi\n  atomic_end;\n  \
             if (*) then assume (!({here})); fi\n",
            increment("n", "n", 3)
        );
    }
    text + "  assert (!(n0 & n1 & n2));\nend\n"
}

fn readers_writers() -> String {
    format!(
        "decl ready, w, r0, r1, r2, data;\nvoid main() begin\n  decl seen;\n{}  while (*) do\n    if (*) then\n      \
         atomic_begin; assume (!w & !(r0 & r1 & r2)); {} atomic_end;\n      seen := data;\n      assert (seen = data);\n      \
         atomic_begin; {} atomic_end;\n    else\n      atomic_begin; assume (!w & !r0 & !r1 & !r2); w := T; atomic_end;\n      \
         data := !data;\n      assert (w);\n      w := F;\n    fi\n  od\nend\n",
        set_up("w, r0, r1, r2, data", 5),
        increment("r", "r", 3),
        "r0, r1, r2 := !r0, (r1 ^ !r0), (r2 ^ (!r0 & !r1));",
    )
}

fn ticket_lock() -> String {
    format!(
        "decl ready, t0, t1, t2, s0, s1, s2, in;\nvoid main() begin\n  decl m0, m1, m2;\n{}  while (*) do\n    atomic_begin; \
         m0, m1, m2 := t0, t1, t2; {} atomic_end;\n    assume ((m0 = s0) & (m1 = s1) & (m2 = s2));\n    assert (!in);\n    \
         in := T;\n    in := F;\n    {}\n  od\nend\n",
        set_up("t0, t1, t2, s0, s1, s2, in", 7),
        increment("t", "m", 3),
        increment("s", "s", 3),
    )
}

/// A value is made on first use; looked at twice, the second time with the lock, or once.
fn initialise_once(twice: bool) -> String {
    let again = if twice { "    if (!made) then\n" } else { "    if (T) then\n" };
    format!(
        "decl ready, lock, made, often, used;\nvoid main() begin\n{}  if (!made) then\n    lock := T constrain !lock;\n{again}      \
         assert (!often);\n      often := T;\n      made := T;\n    fi\n    lock := F;\n  fi\n  used := T;\n  assert (made);\nend\n",
        set_up("lock, made, often, used", 4),
    )
}

/// Amounts go from one account to another in atomic sections; their sum stays.
fn transfers() -> String {
    format!(
        "decl ready, a0, a1, b0, b1;\nvoid main() begin\n  decl d;\n{}  atomic_begin; if (!a0 & !a1 & !b0 & !b1) then a0 := T; fi \
         atomic_end;\n  while (*) do\n    d := *;\n    atomic_begin;\n    if (d & a0) then a0, b0 := F, T;\n    elsif (!d & b0) then \
         a0, b0 := T, F; fi\n    atomic_end;\n    d := a0;\n  od\n  assert (a0 | b0 | !ready | !a0);\nend\n",
        set_up("a0, a1, b0, b1", 4),
    )
}

/// Pairs of threads that write to each other and to nobody else (listing 6.4 of the thesis, widened).
fn pairs_of(pairs: usize, length: usize) -> String {
    let mut text = format!("decl {}, {};\n", names("x", pairs), names("y", pairs));
    for pair in 0..pairs {
        for (name, mine, theirs) in [("left", "x", "y"), ("right", "y", "x")] {
            let _ = writeln!(text, "void {name}{pair}() begin");
            for step in 0..length {
                let of = if step % 2 == 0 { theirs } else { mine };
                let _ = writeln!(text, "  {mine}{pair} := !{of}{pair};");
            }
            let _ = writeln!(text, "  assert ({mine}{pair} | {theirs}{pair} | !{mine}{pair});\nend");
        }
    }
    text += "void main() begin\n";
    let _ = writeln!(text, "  {}, {} := {};", names("x", pairs), names("y", pairs), values("F", 2 * pairs));
    for pair in 0..pairs {
        let _ = writeln!(text, "  start_thread left{pair}();\n  start_thread right{pair}();");
    }
    text + "end\n"
}

/// One thread counts in a loop, the others flip a flag (listing 6.3 of the thesis, widened).
fn count_and_flag(bits: usize, others: usize) -> String {
    let c = names("c", bits);
    let full = (0..bits).map(|bit| format!("c{bit}")).collect::<Vec<_>>().join(" & ");
    format!(
        "decl {c}, g;\nvoid counter() begin\n  while (!({full})) do\n    {}\n  od\n  assert (g | !g);\nend\nvoid flipper() begin\n  \
         g := !g;\n  assert (!({full}) | g | !g);\nend\nvoid main() begin\n  {c}, g := {};\n  start_thread counter();\n{}end\n",
        increment("c", "c", bits),
        values("F", bits + 1),
        "  start_thread flipper();\n".repeat(others),
    )
}

/// Forks are variables. In order, nobody waits for ever; greedily, all can hold one each.
fn philosophers(count: usize, ordered: bool) -> String {
    let mut text = format!("decl {}, {};\n", names("f", count), names("e", count));
    for who in 0..count {
        let (mut first, mut second) = (who, (who + 1) % count);
        if ordered && first > second {
            std::mem::swap(&mut first, &mut second);
        }
        let _ = writeln!(
            text,
            "void p{who}() begin\n  f{first} := T constrain !f{first};\n  f{second} := T constrain !f{second};\n  e{who} := T;\n  \
             assert (!e{});\n  e{who} := F;\n  f{second} := F;\n  f{first} := F;\nend",
            (who + 1) % count
        );
    }
    let starts: String = (0..count).map(|who| format!("  start_thread p{who}();\n")).collect();
    text + &format!(
        "void main() begin\n  {}, {} := {};\n{starts}end\n",
        names("f", count),
        names("e", count),
        values("F", 2 * count)
    )
}

/// Workers take what is there to do, one at a time, and the one who gives waits for all of it.
fn workers(count: usize) -> String {
    format!(
        "decl todo, done, stop;\nvoid worker() begin\n  decl mine;\n  while (!stop) do\n    atomic_begin; mine, todo := todo, F; \
         atomic_end;\n    if (mine) then\n      assert (!done);\n      done := T;\n    fi\n  od\nend\nvoid main() begin\n  \
         todo, done, stop := F, F, F;\n{}  todo := T;\n  assume (done);\n  done := F;\n  todo := T;\n  assume (done);\n  stop := T;\n  \
         assert (!todo);\nend\n",
        "  start_thread worker();\n".repeat(count)
    )
}

/// A token goes round; each thread has work of its own between.
fn ring(count: usize) -> String {
    let mut text = format!("decl {}, {};\n", names("t", count), names("w", count));
    for who in 0..count {
        let next = (who + 1) % count;
        let _ = writeln!(
            text,
            "void p{who}() begin\n  w{who} := !w{who};\n  w{who} := !w{who};\n  assume (t{who});\n  assert (!t{next} | w{who} | \
             !w{who});\n  t{who}, t{next} := F, T;\n  w{who} := !w{who};\nend"
        );
    }
    let starts: String = (0..count).map(|who| format!("  start_thread p{who}();\n")).collect();
    text + &format!(
        "void main() begin\n  {}, {} := {};\n{starts}  t0 := T;\nend\n",
        names("t", count),
        names("w", count),
        values("F", 2 * count)
    )
}

/// A counter of what lies in a buffer; those who put wait while it is full, those who take while it is empty.
fn buffer(bits: usize) -> String {
    let full = (0..bits).map(|bit| format!("n{bit}")).collect::<Vec<_>>().join(" & ");
    let some = (0..bits).map(|bit| format!("n{bit}")).collect::<Vec<_>>().join(" | ");
    let less = |bit: usize| {
        let borrow = (0..bit).map(|below| format!("!n{below}")).collect::<Vec<_>>().join(" & ");
        if bit == 0 { "!n0".to_owned() } else { format!("(n{bit} ^ ({borrow}))") }
    };
    let less: Vec<String> = (0..bits).map(less).collect();
    format!(
        "decl ready, {n}, last;\nvoid main() begin\n  decl item;\n{setup}  while (*) do\n    if (*) then\n      item := *;\n      \
         atomic_begin; assume (!({full})); {more} last := item; atomic_end;\n    else\n      atomic_begin; assume ({some}); \
         {n} := {less}; item := last; atomic_end;\n      assert (item | !item);\n    fi\n  od\n  assert (!({full}) | ({some}));\nend\n",
        n = names("n", bits),
        setup = set_up(&format!("{}, last", names("n", bits)), bits + 1),
        more = increment("n", "n", bits),
        less = less.join(", "),
    )
}

/// Peterson's algorithm; inside, a counter is read and written in so many steps.
fn peterson(bits: usize) -> String {
    let mut text = format!("decl a, b, turn, in, {};\n", names("c", bits));
    for (name, mine, theirs, turn) in [("first", "a", "b", "turn"), ("second", "b", "a", "!turn")] {
        let set = if turn == "turn" { "T" } else { "F" };
        let _ = writeln!(
            text,
            "void {name}() begin\n  decl {l};\n  while (*) do\n    {mine} := T;\n    turn := {set};\n    assume (!{theirs} | !({turn}));\n    \
             assert (!in);\n    in := T;\n    {l} := {c};\n    {}\n    in := F;\n    {mine} := F;\n  od\nend",
            increment("c", "l", bits),
            l = names("l", bits),
            c = names("c", bits),
        );
    }
    text + &format!(
        "void main() begin\n  a, b, turn, in, {} := {};\n  start_thread first();\n  start_thread second();\nend\n",
        names("c", bits),
        values("F", bits + 4)
    )
}
