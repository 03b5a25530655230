//! `--stub-missing FILE`: stand-ins for what no input defines are written to a C file, and the program is checked with them.

use crate::arguments::CheckArguments;
use crate::check::fail;
use crate::output::OutputFile;
use crate::{LOST, USAGE, terminal};
use raddle_driver::CheckRequest;

/// Writes the file and adds it to the inputs. The error is the exit code.
pub fn add(arguments: &CheckArguments, request: &mut CheckRequest) -> Result<(), u8> {
    let Some(path) = &arguments.stub_missing else { return Ok(()) };
    let complain = |message: &str, code: u8| {
        terminal::complain(message);
        code
    };
    let name = path.display();
    // What a person may have edited is never overwritten.
    if path.symlink_metadata().is_ok() {
        let message =
            format!("--stub-missing: {name} exists already; add it to the inputs, or name another file");
        return Err(complain(&message, USAGE));
    }
    if path.extension().is_none_or(|extension| extension != "c") {
        let message = format!("--stub-missing: {name} is to be a C file; call it {name}.c");
        return Err(complain(&message, USAGE));
    }
    let file = OutputFile::claim(path).map_err(|message| complain(&message, USAGE))?;
    match raddle_driver::stand_ins(request) {
        Ok(None) => terminal::complain(&format!("nothing is missing; {name} is not written")),
        Ok(Some((text, count))) => {
            file.write(&text).map_err(|message| complain(&message, LOST))?;
            let what = if count == 1 { "1 stand-in" } else { &format!("{count} stand-ins") };
            terminal::complain(&format!(
                "{what} written to {name}; edit the file, then check again with it among the inputs"
            ));
            request.inputs.push(path.clone());
        }
        Err(error) => return Err(fail(&error)),
    }
    Ok(())
}
