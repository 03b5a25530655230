//! Harnesses: a `main` that calls functions of a source, one after the other or in threads, written as C to keep and edit.
//!
//! The harness includes the source, so it sees its types and its static functions. Arguments are any value of their types;
//! pointers lead to fresh objects of a few elements whose numbers are any value. Two pointers of one call never lead to the same
//! object; with `shared`, pointers of one type lead to the same object in every call. What that fixes is stated by
//! `raddle_assumption`, which is printed with the verdict.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};

use raddle_clang::signatures::{Signature, TypeKind, WrittenType};
use raddle_trace::Budget;

use crate::diagnosis;
use crate::error::DriverError;
use crate::inputs::expand;
use crate::nearest::nearest;
use crate::program::{compile_options, load_error};
use crate::request::{CompileOptions, SemanticOptions};
use crate::scalars::any;

/// What a harness is to do.
#[derive(Clone, Debug, Default)]
pub struct HarnessRequest {
    /// The source that has the functions.
    pub source: PathBuf,
    /// Called in this order by the first thread.
    pub entries: Vec<String>,
    /// Called afterwards, each in a thread of its own.
    pub concurrent: Vec<String>,
    /// Elements of each fresh object.
    pub elements: u64,
    /// Pointers of one type lead to one object in all calls.
    pub shared: bool,
    /// The folder in which the harness will lie.
    pub folder: PathBuf,
    pub compile: CompileOptions,
}

/// The C text.
pub fn harness(request: &HarnessRequest) -> Result<String, DriverError> {
    let sources = expand(std::slice::from_ref(&request.source), request.compile.trust_flags)?;
    let [source] = &sources.files[..] else {
        return Err(DriverError::usage("a harness is made for one C source"));
    };
    let options =
        compile_options(&request.compile, &SemanticOptions::default(), &sources, &Budget::default());
    let known = raddle_clang::load::signatures(source, &options).map_err(|error| {
        let hint = diagnosis::hint(&error, &sources, false);
        hint.into_iter().fold(load_error(error), DriverError::hint)
    })?;
    let mut calls = Vec::new();
    for name in request.entries.iter().chain(&request.concurrent) {
        let signature = known.get(name).ok_or_else(|| missing(name, &known, source))?;
        calls.push((name.as_str(), signature));
    }
    let mut writer = Writer { request, makers: Vec::new(), shared: Vec::new() };
    let steps: Vec<String> = calls.iter().map(|(name, signature)| writer.call(name, signature)).collect();
    Ok(writer.text(source, &calls, &steps))
}

fn missing(name: &str, known: &BTreeMap<String, Signature>, source: &Path) -> DriverError {
    let others: Vec<&str> = known.keys().filter(|other| *other != "main").map(|name| name.as_str()).collect();
    let hint = match nearest(name, others.iter().copied()) {
        Some(nearest) => format!("did you mean `{nearest}`?"),
        None if others.is_empty() => "it defines no other function than main".to_string(),
        None => format!("it defines {}", others[..others.len().min(8)].join(", ")),
    };
    DriverError::usage(format!("{} defines no function `{name}`", source.display())).hint(hint)
}

struct Writer<'a> {
    request: &'a HarnessRequest,
    /// The type of the objects, and the function that makes one.
    makers: Vec<(WrittenType, String)>,
    /// The type of the objects that all calls share.
    shared: Vec<WrittenType>,
}

impl Writer<'_> {
    fn text(&self, source: &Path, calls: &[(&str, &Signature)], steps: &[String]) -> String {
        let Writer { request, makers, shared } = self;
        let names: Vec<&str> = calls.iter().map(|(name, _)| *name).collect();
        let mut out = format!("/* Harness of {}, written by raddle: edit it. */\n", names.join(", "));
        // A main of the source is kept out of the way.
        let _ = writeln!(out, "#define main main_of_the_source");
        let _ = writeln!(out, "#include {}", quoted(&self.path_of(source)));
        out.push_str("#undef main\n\n#include <raddle.h>\n#include <stdlib.h>\n");
        if !request.concurrent.is_empty() {
            out.push_str("#include <pthread.h>\n");
        }
        let _ = writeln!(
            out,
            "\nenum {{ ELEMENTS = {} }}; /* of each object that a pointer leads to */",
            request.elements
        );
        if !makers.is_empty() {
            out.push('\n');
        }
        for (index, (ty, _)) in makers.iter().enumerate() {
            let _ = writeln!(out, "static {} *make_{}(void);", ty.text, index + 1);
        }
        for (_, maker) in makers.iter().filter(|(_, maker)| !maker.is_empty()) {
            let _ = write!(out, "\n{maker}");
        }
        if !shared.is_empty() {
            out.push('\n');
        }
        for (index, ty) in shared.iter().enumerate() {
            let _ = writeln!(out, "static {} *shared_{};", ty.text, index + 1);
        }
        for (index, (name, _)) in calls.iter().enumerate() {
            let _ = write!(out, "\nstatic void call_{}_{name}(void) {{\n{}}}\n", index + 1, steps[index]);
        }
        let first = request.entries.len();
        for (index, (name, _)) in calls.iter().enumerate().skip(first) {
            let _ = write!(
                out,
                "\nstatic void *thread_{0}(void *unused) {{\n    call_{0}_{name}();\n    return unused;\n}}\n",
                index + 1
            );
        }
        out.push_str("\nint main(void) {\n");
        let alias = if request.shared { "are shared between the calls by type" } else { "do not alias" };
        let _ = writeln!(
            out,
            "    raddle_assumption(\"harness: pointers are not null, lead to objects of {} element(s), and {alias}; what lies \
             behind further pointers is made up\");",
            request.elements
        );
        for (index, ty) in shared.iter().enumerate() {
            let _ = writeln!(out, "    shared_{} = {}();", index + 1, self.maker_name(ty));
        }
        for (index, (name, _)) in calls.iter().enumerate().take(first) {
            let _ = writeln!(out, "    call_{}_{name}();", index + 1);
        }
        let threads = calls.len() - first;
        if threads > 0 {
            let _ = writeln!(out, "    pthread_t threads[{threads}];");
            for index in 0..threads {
                let _ = writeln!(
                    out,
                    "    pthread_create(&threads[{index}], NULL, thread_{}, NULL);",
                    first + index + 1
                );
            }
            let _ = writeln!(out, "    for (int i = 0; i < {threads}; i++) pthread_join(threads[i], NULL);");
        }
        out.push_str("    return 0;\n}\n");
        out
    }

    /// As the harness names the source.
    fn path_of(&self, source: &Path) -> String {
        let whole = source.canonicalize().unwrap_or_else(|_| source.to_path_buf());
        let folder = self.request.folder.canonicalize().unwrap_or_else(|_| self.request.folder.clone());
        match whole.strip_prefix(&folder) {
            Ok(inside) => inside.display().to_string(),
            Err(_) => whole.display().to_string(),
        }
    }

    /// The body of a call.
    fn call(&mut self, name: &str, signature: &Signature) -> String {
        let mut body = String::new();
        let mut words = Vec::new();
        for (index, ty) in signature.parameters.iter().enumerate() {
            words.push(match &ty.kind {
                TypeKind::Scalar(scalar) => any(scalar),
                TypeKind::Pointer(to) if self.request.shared && !is_unknown(to) => {
                    self.maker(to);
                    let known = self.shared.iter().position(|other| other.text == to.text);
                    let at = known.unwrap_or_else(|| {
                        self.shared.push(unqualified(to));
                        self.shared.len() - 1
                    });
                    format!("shared_{}", at + 1)
                }
                TypeKind::Pointer(to) => self.maker(to),
                TypeKind::Void | TypeKind::Structure(_) | TypeKind::Array(..) | TypeKind::Opaque
                    if ty.text.ends_with('*') =>
                {
                    format!("0 /* {}: give it a value */", ty.text)
                }
                _ => {
                    let _ = writeln!(body, "    {} a{};", ty.text, index + 1);
                    let _ =
                        writeln!(body, "    memset(&a{0}, 0, sizeof a{0}); /* give it a value */", index + 1);
                    self.fill(&format!("a{}", index + 1), ty, "    ", &mut body, 2);
                    format!("a{}", index + 1)
                }
            });
        }
        if body.contains("memset(") {
            body.insert_str(0, "    extern void *memset(void *, int, size_t);\n");
        }
        let dots = if signature.variadic { " /* and further arguments */" } else { "" };
        let _ = writeln!(body, "    {name}({}{dots});", words.join(", "));
        body
    }

    fn maker_name(&self, ty: &WrittenType) -> String {
        let position = self.makers.iter().position(|(other, _)| other.text == ty.text);
        format!("make_{}", position.map_or(0, |position| position + 1))
    }

    /// An expression for a pointer to a fresh object.
    fn maker(&mut self, ty: &WrittenType) -> String {
        if is_unknown(ty) {
            return "calloc(1, 64) /* of unknown type */".into();
        }
        if !self.makers.iter().any(|(other, _)| other.text == ty.text) {
            let position = self.makers.len();
            // Its place is taken before its members are made: a type may lead to itself.
            self.makers.push((unqualified(ty), String::new()));
            let mut fill = String::new();
            self.fill("object[i]", ty, "        ", &mut fill, 1);
            let text = &ty.text;
            let mut maker = format!("static {text} *make_{}(void) {{\n", position + 1);
            let _ = writeln!(maker, "    {text} *object = calloc(ELEMENTS, sizeof *object);");
            maker.push_str("    raddle_assume(object != 0);\n");
            if !fill.is_empty() {
                let _ = write!(maker, "    for (int i = 0; i < ELEMENTS; i++) {{\n{fill}    }}\n");
            }
            if is_character(ty) {
                maker.push_str("    object[ELEMENTS - 1] = 0;\n");
            }
            maker.push_str("    return object;\n}\n");
            self.makers[position].1 = maker;
        }
        format!("{}()", self.maker_name(ty))
    }

    /// Statements that give numbers any value, and pointers fresh objects as long as that is allowed.
    fn fill(&mut self, place: &str, ty: &WrittenType, indent: &str, out: &mut String, pointers: u32) {
        match &ty.kind {
            TypeKind::Scalar(scalar) => {
                let _ = writeln!(out, "{indent}{place} = {};", any(scalar));
            }
            TypeKind::Structure(members) => {
                for (name, member) in members.iter().filter(|(_, member)| !member.constant) {
                    self.fill(&format!("{place}.{name}"), member, indent, out, pointers);
                }
            }
            TypeKind::Array(of, count) if *count > 0 && matches!(of.kind, TypeKind::Scalar(_)) => {
                let variable = format!("k{}", indent.len());
                let _ = writeln!(
                    out,
                    "{indent}for (unsigned {variable} = 0; {variable} < {count}; {variable}++)"
                );
                self.fill(&format!("{place}[{variable}]"), of, &format!("{indent}    "), out, pointers);
            }
            TypeKind::Pointer(to) if pointers > 0 && !is_unknown(to) && !self.is_being_made(to) => {
                let fresh = self.maker(to);
                let _ = writeln!(out, "{indent}{place} = {fresh};");
            }
            TypeKind::Pointer(_) => {
                let _ = writeln!(out, "{indent}/* {place} is null */");
            }
            TypeKind::Void | TypeKind::Array(..) | TypeKind::Opaque => {
                let _ = writeln!(out, "{indent}/* {place} is zero */");
            }
        }
    }

    /// A list that leads to its own type ends after one element.
    fn is_being_made(&self, ty: &WrittenType) -> bool {
        self.makers.iter().any(|(other, maker)| other.text == ty.text && maker.is_empty())
    }
}

fn unqualified(ty: &WrittenType) -> WrittenType {
    WrittenType { constant: false, ..ty.clone() }
}

/// Objects of such a type cannot be made.
fn is_unknown(ty: &WrittenType) -> bool {
    matches!(ty.kind, TypeKind::Void | TypeKind::Array(..)) || ty.text == "void" || ty.text == "void *"
}

fn is_character(ty: &WrittenType) -> bool {
    matches!(&ty.kind, TypeKind::Scalar(name) if name == "char")
}

fn quoted(path: &str) -> String {
    format!("\"{}\"", path.replace('\\', "\\\\").replace('"', "\\\""))
}
