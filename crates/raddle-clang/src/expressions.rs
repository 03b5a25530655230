//! C expressions of the user, compiled with the program: invariants, and propositions of temporal formulas.
//!
//! An expression may name whatever a source file sees at its end: static variables, types, macros. So it is compiled
//! together with that file: a temporary file includes the source and adds one function an expression. Which source an
//! expression belongs to is found by trying them in order. Places keep the names of the user's files.

use std::path::{Path, PathBuf};

use crate::compile::{CompileError, CompileOptions, find_clang_within, to_llvm_text};
use crate::library::{Library, LibraryError};
use crate::load::StandIn;

/// Expressions that have found their sources. The files are gone when this is dropped.
#[derive(Debug)]
pub struct Placed {
    pub stand_ins: Vec<StandIn>,
    /// The function of each expression.
    pub functions: Vec<String>,
    _folder: Folder,
}

/// Why expressions cannot be compiled.
#[derive(Debug)]
pub enum ExpressionError {
    /// With no source; what clang said with the first.
    Refused {
        expression: String,
        message: String,
    },
    /// The inputs are no C sources.
    NoSource,
    /// A source does not compile by itself.
    Source(CompileError),
    Library(LibraryError),
}

/// Names of added functions begin with this.
pub const PREFIX: &str = "raddle_watch__";

/// Finds a source for each expression.
pub fn place_expressions(
    inputs: &[PathBuf],
    options: &CompileOptions,
    expressions: &[String],
) -> Result<Placed, ExpressionError> {
    let mut options = options.clone();
    let clang =
        find_clang_within(options.clang.as_deref(), &options.limits).map_err(ExpressionError::Source)?;
    options.clang = Some(clang.path.clone());
    let library =
        Library::open(&clang, options.data_model, &options.limits).map_err(ExpressionError::Library)?;
    options.system_includes.push(library.include_folder());
    let is_c = |path: &Path| matches!(path.extension().and_then(|e| e.to_str()), Some("c" | "i"));
    let sources: Vec<usize> = (0..inputs.len()).filter(|i| is_c(&inputs[*i])).collect();
    if sources.is_empty() {
        return Err(ExpressionError::NoSource);
    }
    let folder = Folder::new().map_err(ExpressionError::Source)?;
    let attempt = |input: usize, which: &[usize]| -> Result<StandIn, CompileError> {
        let stand_in = folder.write(input, &inputs[input], which, expressions)?;
        to_llvm_text(&stand_in.path, &options_for(&stand_in, &inputs[input], &options))?;
        Ok(stand_in)
    };
    let functions = (0..expressions.len()).map(|i| format!("{PREFIX}{i}")).collect();
    // Nearly always, all belong to the first.
    let all: Vec<usize> = (0..expressions.len()).collect();
    if let Ok(stand_in) = attempt(sources[0], &all) {
        return Ok(Placed { stand_ins: vec![stand_in], functions, _folder: folder });
    }
    let mut of_source: Vec<Vec<usize>> = vec![Vec::new(); inputs.len()];
    for one in all {
        let mut first_message = None;
        let mut found = None;
        for input in &sources {
            match attempt(*input, &[one]) {
                Ok(_) => {
                    found = Some(*input);
                    break;
                }
                Err(CompileError::Refused { message, .. }) => {
                    first_message.get_or_insert(message);
                }
                Err(other) => return Err(ExpressionError::Source(other)),
            }
        }
        match found {
            Some(input) => of_source[input].push(one),
            None => {
                for input in &sources {
                    to_llvm_text(&inputs[*input], &options).map_err(ExpressionError::Source)?;
                }
                let (expression, message) = (expressions[one].clone(), first_message.unwrap_or_default());
                return Err(ExpressionError::Refused { expression, message });
            }
        }
    }
    let mut stand_ins = Vec::new();
    for (input, which) in of_source.iter().enumerate().filter(|(_, which)| !which.is_empty()) {
        stand_ins
            .push(folder.write(input, &inputs[input], which, expressions).map_err(ExpressionError::Source)?);
    }
    Ok(Placed { stand_ins, functions, _folder: folder })
}

/// The options of a source, for the file that replaces it: `__FILE__` is the source's.
pub(crate) fn options_for(stand_in: &StandIn, source: &Path, options: &CompileOptions) -> CompileOptions {
    let mut options = options.clone();
    let own = options.source_flags.get(source).cloned().unwrap_or_default();
    options.source_flags.insert(stand_in.path.clone(), own);
    if let (Some(restriction), Some(folder)) = (&mut options.restriction, stand_in.path.parent()) {
        restriction.folders.push(folder.to_path_buf());
    }
    options.extra_flags.push(
        format!("-fmacro-prefix-map={}={}", stand_in.called, crate::compile::called(source, &options)).into(),
    );
    options
}

/// A temporary folder.
#[derive(Debug)]
struct Folder(crate::temporary::Folder);

impl Folder {
    fn new() -> Result<Folder, CompileError> {
        let made = crate::temporary::Folder::new("expressions");
        made.map(Folder).map_err(|error| CompileError::File { path: std::env::temp_dir(), error })
    }

    fn write(
        &self,
        input: usize,
        source: &Path,
        which: &[usize],
        expressions: &[String],
    ) -> Result<StandIn, CompileError> {
        let failed = |path: &Path, error| CompileError::File { path: path.to_path_buf(), error };
        let absolute = std::path::absolute(source).map_err(|e| failed(source, e))?;
        let preprocessed = source.extension().is_some_and(|e| e == "i");
        let (called, mut text) = if preprocessed {
            let content = std::fs::read(source).map_err(|e| failed(source, e))?;
            let called = source.display().to_string();
            (called.clone(), format!("# 1 \"{called}\"\n{}\n", String::from_utf8_lossy(&content)))
        } else {
            let called = absolute.display().to_string();
            (called.clone(), format!("#include \"{called}\"\n"))
        };
        // A misspelt function is an error, however tolerant the compiler is with the source.
        if !preprocessed {
            for warning in ["-Wimplicit-function-declaration", "-Wint-conversion"] {
                text += &format!("#pragma clang diagnostic error \"{warning}\"\n");
            }
        }
        for one in which {
            let line = if preprocessed { "# 1" } else { "#line 1" };
            let expression = &expressions[*one];
            text += &format!(
                "int {PREFIX}{one}(void) {{ return !!(\n{line} \"expression\"\n{expression}\n); }}\n"
            );
        }
        let extension = if preprocessed { "i" } else { "c" };
        let path = self.0.path().join(format!("expressions-{input}.{extension}"));
        std::fs::write(&path, text).map_err(|e| failed(&path, e))?;
        Ok(StandIn { input, path, called })
    }
}
