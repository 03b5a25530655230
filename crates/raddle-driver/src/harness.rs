//! Harnesses: a `main` that calls functions of a source, one after the other or in threads, written as C to keep and edit.
//!
//! The harness includes the source, so it sees its types and its static functions. Arguments are any value of their types;
//! pointers lead to fresh objects of a few elements whose numbers are any value. Two pointers of one call never lead to the same
//! object; with `shared`, pointers of one type lead to the same object in every call. What that fixes is stated by
//! `raddle_assumption`, which is printed with the verdict.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};

use raddle_clang::compile as clang;
use raddle_clang::signatures::{Signature, TypeKind, WrittenType};
use raddle_clang::temporary::Folder;
use raddle_trace::{Budget, ContentHash, GeneratedSource, InputFile, Trace};

use crate::diagnosis;
use crate::error::DriverError;
use crate::inputs::{Sources, expand};
use crate::nearest::nearest;
use crate::program::{compile_options, load_error};
use crate::request::{CheckRequest, CompileOptions, HarnessOptions, SemanticOptions};
use crate::scalars::any;

/// What a harness is to do.
#[derive(Clone, Debug, Default)]
pub struct HarnessRequest {
    /// The source that has the functions.
    pub source: PathBuf,
    pub options: HarnessOptions,
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
    text(&request.options, source, &request.folder, &known)
}

fn text(
    options: &HarnessOptions,
    source: &Path,
    folder: &Path,
    known: &BTreeMap<String, Signature>,
) -> Result<String, DriverError> {
    let mut calls = Vec::new();
    for name in options.entries.iter().chain(&options.concurrent) {
        let signature = known.get(name).ok_or_else(|| missing(name, known, source))?;
        calls.push((name.as_str(), signature));
    }
    let constructed = constructed(&calls, options.entries.len());
    let mut writer = Writer { options, folder, makers: Vec::new(), shared: Vec::new(), constructed };
    let steps: Vec<String> = calls.iter().map(|(name, signature)| writer.call(name, signature)).collect();
    Ok(writer.text(source, &calls, &steps))
}

/// What the program calls a harness that was written for one check.
const CALLED: &str = "raddle-harness.c";

/// The sources of a request; where it asks for a harness, this takes the place of a source. The folder is to be kept until the
/// program is loaded.
pub fn sources_of(request: &CheckRequest) -> Result<(Sources, Option<Folder>), DriverError> {
    let mut sources = expand(&request.inputs, request.compile.trust_flags)?;
    let Some(options) = &request.harness else { return Ok((sources, None)) };
    let compile = compile_options(&request.compile, &request.semantics, &sources, &request.budget);
    let folder = in_place_of_source(options, &mut sources, &compile)?;
    Ok((sources, Some(folder)))
}

/// The harness takes the place of the source that has the functions.
fn in_place_of_source(
    options: &HarnessOptions,
    sources: &mut Sources,
    compile: &clang::CompileOptions,
) -> Result<Folder, DriverError> {
    let names: Vec<&String> = options.entries.iter().chain(&options.concurrent).collect();
    let mut defined = BTreeMap::new();
    let mut best: Option<(usize, usize, BTreeMap<String, Signature>)> = None;
    for (index, file) in sources.files.iter().enumerate() {
        if file.extension().is_none_or(|extension| extension != "c") {
            continue;
        }
        let known = raddle_clang::load::signatures(file, compile).map_err(load_error)?;
        let count = names.iter().filter(|name| known.contains_key(**name)).count();
        for name in names.iter().filter(|name| known.contains_key(**name)) {
            defined.entry(name.as_str()).or_insert(index);
        }
        if best.as_ref().is_none_or(|(most, ..)| count > *most) {
            best = Some((count, index, known));
        }
    }
    let Some((count, index, known)) = best else {
        return Err(DriverError::usage("--entry and --concurrent need a C source"));
    };
    let source = sources.files[index].clone();
    if count < names.len() && names.iter().all(|name| defined.contains_key(name.as_str())) {
        let places: Vec<String> = defined
            .iter()
            .map(|(name, at)| format!("`{name}` in {}", sources.files[*at].display()))
            .collect();
        return Err(DriverError::usage(format!(
            "the functions are in several sources: {}",
            places.join(", ")
        ))
        .hint("write the harness by hand, from what `raddle harness` gives for one of them"));
    }
    let folder = Folder::new("harness")
        .map_err(|error| DriverError::input(format!("cannot write the harness: {error}")))?;
    let text = text(options, &source, folder.path(), &known)?;
    let path = folder.path().join(CALLED);
    std::fs::write(&path, &text)
        .map_err(|error| DriverError::input(format!("cannot write the harness: {error}")))?;
    let whole = source.canonicalize().unwrap_or_else(|_| source.clone());
    let called = sources.names.get(&source).cloned().unwrap_or_else(|| source.display().to_string());
    let includes = whole.display().to_string();
    let hash = ContentHash::of(&std::fs::read(&whole).unwrap_or_default());
    sources.put_generated(index, &path, GeneratedSource { text, includes, hash, called });
    Ok(folder)
}

/// A harness of a trace as a file again.
pub struct Written {
    /// Removed when dropped.
    _folder: Folder,
    /// The file, and what the trace says of it.
    pub files: Vec<(PathBuf, InputFile)>,
}

/// The harnesses of a trace, which are further inputs of its replay. Of the inputs that are named, those that a harness includes
/// are no sources of their own; they may lie elsewhere now.
pub fn written_again(trace: &Trace, named: &mut Vec<PathBuf>) -> Result<Option<Written>, DriverError> {
    let generated = |input: &InputFile| Some((input.clone(), input.generated.clone()?));
    let generated: Vec<_> = trace.program.inputs.iter().filter_map(generated).collect();
    if generated.is_empty() {
        return Ok(None);
    }
    let cannot = |error| DriverError::input(format!("cannot write the harness of the trace: {error}"));
    let folder = Folder::new("harness").map_err(cannot)?;
    let mut files = Vec::new();
    for (number, (mut input, mut source)) in generated.into_iter().enumerate() {
        let content = |path: &PathBuf| ContentHash::of(&std::fs::read(path).unwrap_or_default());
        if let Some(at) = named.iter().position(|path| content(path) == source.hash) {
            let place = named.remove(at);
            let place = place.canonicalize().unwrap_or(place);
            source.text =
                source.text.replacen(&quoted(&source.includes), &quoted(&place.display().to_string()), 1);
            source.includes = place.display().to_string();
        }
        let path = folder.path().join(format!("{number}-{CALLED}"));
        std::fs::write(&path, &source.text).map_err(cannot)?;
        input.generated = Some(source);
        files.push((path, input));
    }
    Ok(Some(Written { _folder: folder, files }))
}

/// The types of objects that an entry makes and other calls take: it returns a pointer to one, or fills one.
fn constructed(calls: &[(&str, &Signature)], entries: usize) -> Vec<(String, String)> {
    let taken = |ty: &WrittenType, by: usize| {
        let mut others = calls.iter().enumerate().filter(|(index, _)| *index != by);
        others.any(|(_, (_, signature))| {
            signature
                .parameters
                .iter()
                .any(|p| matches!(&p.kind, TypeKind::Pointer(to) if to.text == ty.text))
        })
    };
    let mut found: Vec<(String, String)> = Vec::new();
    for (index, (name, signature)) in calls.iter().enumerate().take(entries) {
        let returned = match &signature.result.kind {
            TypeKind::Pointer(to) => Some(to),
            _ => None,
        };
        let filled = signature.parameters.iter().filter_map(|parameter| match &parameter.kind {
            TypeKind::Pointer(to) => match &to.kind {
                TypeKind::Pointer(inner) => Some(inner),
                _ => None,
            },
            _ => None,
        });
        for ty in returned.into_iter().chain(filled) {
            if !is_unknown(ty) && taken(ty, index) && !found.iter().any(|(text, _)| *text == ty.text) {
                found.push((ty.text.clone(), name.to_string()));
            }
        }
    }
    found
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
    options: &'a HarnessOptions,
    /// Where the harness will lie.
    folder: &'a Path,
    /// The type of the objects, and the function that makes one.
    makers: Vec<(WrittenType, String)>,
    /// The type of the objects that all calls share.
    shared: Vec<WrittenType>,
    /// Types of objects that an entry makes, and that entry.
    constructed: Vec<(String, String)>,
}

impl Writer<'_> {
    fn text(&self, source: &Path, calls: &[(&str, &Signature)], steps: &[String]) -> String {
        let Writer { options, makers, shared, .. } = self;
        let names: Vec<&str> = calls.iter().map(|(name, _)| *name).collect();
        let mut out = format!("/* Harness of {}, written by raddle: edit it. */\n", names.join(", "));
        // A main of the source is kept out of the way.
        let _ = writeln!(out, "#define main main_of_the_source");
        let _ = writeln!(out, "#include {}", quoted(&self.path_of(source)));
        out.push_str("#undef main\n\n#include <raddle.h>\n#include <stdlib.h>\n");
        if !options.concurrent.is_empty() {
            out.push_str("#include <pthread.h>\n");
        }
        let _ = writeln!(
            out,
            "\nenum {{ ELEMENTS = {} }}; /* of each object that a pointer leads to */",
            options.elements
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
        let first = options.entries.len();
        for (index, (name, _)) in calls.iter().enumerate().skip(first) {
            let _ = write!(
                out,
                "\nstatic void *thread_{0}(void *unused) {{\n    call_{0}_{name}();\n    return unused;\n}}\n",
                index + 1
            );
        }
        out.push_str("\nint main(void) {\n");
        let alias = if options.shared { "are shared between the calls by type" } else { "do not alias" };
        let _ = writeln!(
            out,
            "    raddle_assumption(\"harness: pointers are not null, lead to objects of {} element(s), and {alias}; what lies \
             behind further pointers is made up\");",
            options.elements
        );
        for (ty, name) in &self.constructed {
            let _ = writeln!(
                out,
                "    raddle_assumption(\"harness: the `{ty}` that {name} makes goes to all calls\");"
            );
        }
        for (index, ty) in shared.iter().enumerate() {
            // Others are made by an entry.
            if makers.iter().any(|(made, _)| made.text == ty.text) {
                let _ = writeln!(out, "    shared_{} = {}();", index + 1, self.maker_name(ty));
            }
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
        let folder = self.folder.canonicalize().unwrap_or_else(|_| self.folder.to_path_buf());
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
                TypeKind::Pointer(to) if self.is_constructed(to) => {
                    format!("shared_{}", self.shared(to))
                }
                TypeKind::Pointer(to) if self.is_filled(name, to) => match &to.kind {
                    TypeKind::Pointer(inner) => format!("&shared_{}", self.shared(inner)),
                    _ => unreachable!("a pointer to a pointer"),
                },
                TypeKind::Pointer(to) if self.options.shared && !is_unknown(to) => {
                    self.maker(to);
                    format!("shared_{}", self.shared(to))
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
        let call = format!("{name}({}{dots});", words.join(", "));
        let mut made = Vec::new();
        match &signature.result.kind {
            TypeKind::Pointer(to) if self.maker_of(to) == Some(name) => {
                let at = self.shared(to);
                let _ = writeln!(body, "    shared_{at} = {call}");
                made.push(at);
            }
            _ => drop(writeln!(body, "    {call}")),
        }
        for parameter in &signature.parameters {
            if let TypeKind::Pointer(to) = &parameter.kind
                && self.is_filled(name, to)
                && let TypeKind::Pointer(inner) = &to.kind
            {
                made.push(self.shared(inner));
            }
        }
        for at in made {
            let _ = writeln!(body, "    raddle_assume(shared_{at} != 0);");
        }
        body
    }

    /// The entry that makes objects of a type.
    fn maker_of(&self, ty: &WrittenType) -> Option<&str> {
        self.constructed.iter().find(|(text, _)| *text == ty.text).map(|(_, name)| &name[..])
    }

    fn is_constructed(&self, ty: &WrittenType) -> bool {
        self.maker_of(ty).is_some()
    }

    /// Whether a parameter of this type is where an entry stores what it makes.
    fn is_filled(&self, name: &str, ty: &WrittenType) -> bool {
        matches!(&ty.kind, TypeKind::Pointer(inner) if self.maker_of(inner) == Some(name))
    }

    /// The number of the shared object of a type.
    fn shared(&mut self, ty: &WrittenType) -> usize {
        let known = self.shared.iter().position(|other| other.text == ty.text);
        known.unwrap_or_else(|| {
            self.shared.push(unqualified(ty));
            self.shared.len() - 1
        }) + 1
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
