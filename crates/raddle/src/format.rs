//! `raddle fmt`: writes a Boolean program in the one form, or says whether it has it.

use crate::arguments::FormatArguments;
use crate::check::fail;
use crate::output::OutputFile;
use crate::{LOST, USAGE, terminal};

/// The exit code of `--check` when the file is not formatted.
const NOT_FORMATTED: u8 = 1;

/// Runs it; the result is the exit code.
pub fn format(arguments: &FormatArguments) -> u8 {
    let formatted = match raddle_driver::format(&arguments.file) {
        Ok(formatted) => formatted,
        Err(error) => return fail(&error),
    };
    if arguments.check {
        if formatted.same {
            return 0;
        }
        terminal::complain(&format!("{} is not formatted", arguments.file.display()));
        return NOT_FORMATTED;
    }
    match &arguments.output {
        None if !terminal::print(&formatted.text) => return LOST,
        None => {}
        Some(path) => {
            let file = match OutputFile::claim(path) {
                Ok(file) => file,
                Err(message) => {
                    terminal::complain(&message);
                    return USAGE;
                }
            };
            if let Err(message) = file.write(&formatted.text) {
                terminal::complain(&message);
                return LOST;
            }
        }
    }
    0
}
