//! Compiling the program with the runtime. The compiler runs under the limits of every compiler that raddle starts; it gets
//! the LLVM text that was already made, so no flag of a trace and no header of the user is read here.

use std::ffi::OsString;
use std::fmt;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::RUNTIME;
use crate::compile::{Clang, CompileError, RunLimits, run_limited};

/// What is built, and where.
pub struct Build<'a> {
    /// Where the sources and the program are written.
    pub folder: &'a Path,
    pub clang: &'a Clang,
    /// The LLVM text of each source, with the calls inserted.
    pub units: &'a [Vec<u8>],
    /// The schedule, as C.
    pub schedule: &'a str,
    pub limits: &'a RunLimits,
}

/// Why there is no program.
#[derive(Debug)]
pub enum BuildError {
    /// A file could not be written, or the compiler not be run.
    Compile(CompileError),
    /// The compiler refused the runtime or the program, or could not link it.
    Refused(String),
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            BuildError::Compile(error) => error.fmt(f),
            BuildError::Refused(message) => write!(f, "the program cannot be built natively:\n{message}"),
        }
    }
}

impl std::error::Error for BuildError {}

/// Writes all files and builds the program.
pub fn build(build: &Build) -> Result<PathBuf, BuildError> {
    let write = |name: &str, bytes: &[u8]| -> Result<PathBuf, BuildError> {
        let path = build.folder.join(name);
        std::fs::write(&path, bytes)
            .map_err(|error| BuildError::Compile(CompileError::File { path: path.clone(), error }))?;
        Ok(path)
    };
    let mut arguments: Vec<OsString> = ["-g", "-O0", "-w", "-pthread", "-std=gnu11"].map(Into::into).into();
    for (name, text) in RUNTIME {
        let path = write(name, text.as_bytes())?;
        if name.ends_with(".c") {
            arguments.push(path.into());
        }
    }
    arguments.push(write("schedule.c", build.schedule.as_bytes())?.into());
    for (number, text) in build.units.iter().enumerate() {
        arguments.push(write(&format!("unit{number}.ll"), text)?.into());
    }
    let program = build.folder.join("program");
    arguments.extend([OsString::from("-o"), program.clone().into(), "-lm".into()]);
    let compile = |more: &[&str]| {
        let mut command = Command::new(&build.clang.path);
        command.args(&arguments).args(more);
        run_limited(&mut command, build.limits).map_err(BuildError::Compile)
    };
    let mut ran = compile(&[])?;
    // Atomics of more than a word are functions of a library that not every system has.
    if !ran.status.success() && String::from_utf8_lossy(&ran.stderr).contains("`__atomic_") {
        ran = compile(&["-latomic"])?;
    }
    if ran.status.success() {
        return Ok(program);
    }
    let said = String::from_utf8_lossy(&ran.stderr);
    let lines: Vec<&str> = said.lines().take(20).collect();
    Err(BuildError::Refused(lines.join("\n")))
}
