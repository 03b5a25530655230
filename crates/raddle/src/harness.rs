//! `raddle harness`: writes C that calls functions of a source, to keep and edit.

use crate::arguments::HarnessArguments;
use crate::check::fail;
use crate::output::OutputFile;
use crate::{LOST, USAGE, terminal};
use raddle_driver::{CompileOptions, HarnessOptions, HarnessRequest};
use std::path::{Path, PathBuf};

/// Runs it; the result is the exit code.
pub fn harness(arguments: &HarnessArguments) -> u8 {
    let refuse = |message: &str| {
        terminal::complain(message);
        USAGE
    };
    let output = match &arguments.output {
        Some(path) if path.symlink_metadata().is_ok() => {
            return refuse(&format!("{} exists already; name another file, or remove it", path.display()));
        }
        Some(path) => match OutputFile::claim(path) {
            Ok(file) => Some(file),
            Err(message) => return refuse(&message),
        },
        None => None,
    };
    let folder = arguments.output.as_ref().and_then(|path| path.parent());
    let folder = folder.filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let request = HarnessRequest {
        source: arguments.source.clone(),
        options: HarnessOptions {
            entries: arguments.entries.clone(),
            concurrent: arguments.concurrent.clone(),
            elements: arguments.elements,
            shared: arguments.share,
        },
        folder: PathBuf::from(folder),
        compile: CompileOptions {
            defines: arguments.defines.clone(),
            include_paths: arguments.include_paths.clone(),
            ..CompileOptions::default()
        },
    };
    let text = match raddle_driver::harness(&request) {
        Ok(text) => text,
        Err(error) => return fail(&error),
    };
    match output {
        None if terminal::print(&text) => 0,
        None => LOST,
        Some(file) => match file.write(&text) {
            Ok(()) => {
                let path = arguments.output.iter().map(|path| path.display().to_string()).collect::<String>();
                terminal::complain(&format!("harness written to {path}; edit it, then: raddle check {path}"));
                0
            }
            Err(message) => {
                terminal::complain(&message);
                LOST
            }
        },
    }
}
