//! Stand-ins of all that lacks a definition, as a C file that a person edits.
//!
//! A stand-in returns any value of its type, and writes any value to the numbers that its parameters point to. What else a
//! real function may do (structures, buffers, calls back, locks) is not known from its declaration: each stand-in states what
//! it fixes with `raddle_assumption`, which is printed with the verdict.

use std::collections::BTreeMap;
use std::fmt::Write;

use raddle_clang::declarations::{Declaration, DeclaredType};
use raddle_ir::Program;
use raddle_trace::{MissingDefinition, MissingKind};

use crate::error::DriverError;
use crate::expressions::Expressions;
use crate::missing::missing_definitions;
use crate::program::{compile_options, load_error, load_program};
use crate::request::CheckRequest;
use crate::scalars::any;

/// Bytes of an object that a stand-in makes where its size is not known.
const UNKNOWN_SIZE: u64 = 64;

/// The C text, and how many functions and objects it defines; `None` if nothing is missing.
pub fn stand_ins(request: &CheckRequest) -> Result<Option<(String, usize)>, DriverError> {
    let (sources, _harness) = crate::harness::sources_of(request)?;
    let expressions = Expressions::default();
    let loaded = load_program(&sources, &request.compile, &request.semantics, expressions, &request.budget)?;
    let missing = missing_definitions(&loaded.program);
    if missing.is_empty() {
        return Ok(None);
    }
    let names: Vec<String> = missing.iter().map(|m| m.name.clone()).collect();
    let options = compile_options(&request.compile, &request.semantics, &sources, &request.budget);
    let declared = raddle_clang::load::declarations(&sources.files, &options, &names).map_err(load_error)?;
    Ok(Some((text(&loaded.program, &missing, &declared), missing.len())))
}

fn text(
    program: &Program,
    missing: &[MissingDefinition],
    declared: &BTreeMap<String, Declaration>,
) -> String {
    let mut out = String::from(
        "/* Stand-ins for what the program uses and no input defines, written by raddle: edit them.\n \
         * Each returns any value of its type, and writes any value to the numbers that its parameters point to. It calls\n \
         * nothing back, takes no lock and leaves structures and buffers as they are. A bug that is found with them may be\n \
         * one that the real functions exclude; a proof holds for functions that do no more than these. */\n\
         #include <raddle.h>\n#include <stdlib.h>\n",
    );
    let mut tags: Vec<&str> = Vec::new();
    for declaration in declared.values() {
        for ty in declaration.parameters.iter().chain([&declaration.result]) {
            add_tag(ty, &mut tags);
        }
    }
    tags.sort_unstable();
    tags.dedup();
    if !tags.is_empty() {
        out.push('\n');
    }
    for tag in tags {
        let _ = writeln!(out, "{tag};");
    }
    for name in missing {
        let uses = name.sentence();
        let used = uses.split_once(", ").map_or("", |(_, used)| used);
        let _ = write!(out, "\n/* {} */\n", used.replace("*/", "* /"));
        match name.kind {
            MissingKind::Object => object(program, &name.name, &mut out),
            MissingKind::Function => function(&name.name, declared.get(&name.name), &mut out),
        }
    }
    out
}

/// The tag of a structure that is mentioned behind pointers.
fn add_tag<'a>(ty: &'a DeclaredType, tags: &mut Vec<&'a str>) {
    match ty {
        DeclaredType::Tagged(name, _) => tags.push(name),
        DeclaredType::Pointer { to, .. } => add_tag(to, tags),
        _ => {}
    }
}

fn object(program: &Program, name: &str, out: &mut String) {
    let global = program.globals.iter().find(|global| global.name == name);
    let (size, align) = global.map_or((8, 8), |global| (global.size.max(1), global.align.max(1)));
    let local = global.is_some_and(|global| global.thread_local);
    let local = if local { "_Thread_local " } else { "" };
    let _ = writeln!(
        out,
        "{local}_Alignas({align}) unsigned char {name}[{size}]; /* all zero: give it its type */"
    );
}

fn function(name: &str, declaration: Option<&Declaration>, out: &mut String) {
    let Some(declaration) = declaration else {
        let _ = writeln!(
            out,
            "/* declared nowhere, or not used as declared */\nint {name}() {{\n    raddle_assumption(\"`{name}` is a \
             stand-in: returns any int\");\n    return raddle_any_int();\n}}"
        );
        return;
    };
    let by_value = |ty: &DeclaredType| matches!(ty, DeclaredType::Tagged(..) | DeclaredType::Other);
    let parameters: Vec<String> = declaration
        .parameters
        .iter()
        .enumerate()
        .map(|(index, ty)| with_name(ty, &format!("p{}", index + 1)))
        .collect();
    let mut list = if parameters.is_empty() && !declaration.variadic {
        "void".to_string()
    } else {
        parameters.join(", ")
    };
    if declaration.variadic && !parameters.is_empty() {
        list += ", ...";
    }
    let head = with_name(&declaration.result, &format!("{name}({list})"));
    if by_value(&declaration.result) || declaration.parameters.iter().any(by_value) {
        let _ = writeln!(
            out,
            "/* {head}: takes or returns a structure by value. Write it by hand, with its header. */"
        );
        return;
    }
    let mut does = Vec::new();
    let mut body = String::new();
    for (index, ty) in declaration.parameters.iter().enumerate() {
        let DeclaredType::Pointer { to, constant: false } = ty else { continue };
        let parameter = format!("p{}", index + 1);
        match &**to {
            // Most often a text or a buffer, of a length that the declaration does not say.
            DeclaredType::Scalar(name) if is_character(name) => {
                let _ = writeln!(body, "    /* may write to {parameter} */");
            }
            DeclaredType::Scalar(scalar) => {
                let _ = writeln!(body, "    if ({parameter}) *{parameter} = {};", any(scalar));
                does.push(format!("writes any {scalar} to *{parameter}"));
            }
            _ => {
                let _ = writeln!(body, "    /* may change what {parameter} points to */");
            }
        }
    }
    match &declaration.result {
        DeclaredType::Void => {}
        DeclaredType::Scalar(scalar) => {
            let _ = writeln!(body, "    return {};", any(scalar));
            does.push(format!("returns any {scalar}"));
        }
        DeclaredType::Pointer { to, .. } => {
            let size = match &**to {
                DeclaredType::Tagged(_, size) if *size > 0 => *size,
                _ => UNKNOWN_SIZE,
            };
            let _ = writeln!(body, "    return raddle_any_bool() ? calloc(1, {size}) : 0;");
            does.push(format!("returns null or a new object of {size} zero bytes"));
        }
        DeclaredType::Tagged(..) | DeclaredType::Other => unreachable!("written by hand"),
    }
    if does.is_empty() {
        does.push("does nothing".into());
    }
    let _ = writeln!(
        out,
        "{head} {{\n    raddle_assumption(\"`{name}` is a stand-in: {}\");\n{body}}}",
        does.join(", ")
    );
}

/// `int *p1`.
fn with_name(ty: &DeclaredType, name: &str) -> String {
    let text = ty.to_string();
    let gap = if text.ends_with('*') { "" } else { " " };
    format!("{text}{gap}{name}")
}

fn is_character(name: &str) -> bool {
    matches!(name, "char" | "signed char" | "unsigned char")
}
