//! Where the configuration is: what `--config` names, or the `raddle.toml` in the folder of the first input or in the
//! nearest folder above it. The search ends at a folder with `.git`.

use super::Refusal;
use crate::arguments::CheckArguments;
use crate::terminal;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// The name that is looked for.
const NAME: &str = "raddle.toml";

/// The file, if there is one.
pub fn find(given: &CheckArguments) -> Result<Option<PathBuf>, Refusal> {
    if given.no_config {
        return Ok(None);
    }
    if let Some(named) = &given.config {
        return Ok(Some(named.clone()));
    }
    let first = given.inputs.first().map_or(Path::new("."), |input| input);
    // What cannot be read is reported by the check itself.
    let Ok(first) = first.canonicalize() else { return Ok(None) };
    let start = if first.is_dir() { first.as_path() } else { first.parent().unwrap_or(&first) };
    for folder in start.ancestors() {
        let file = folder.join(NAME);
        if file.symlink_metadata().is_ok() {
            return Ok(trusted(&file, &first).then(|| shown(&file)));
        }
        if folder.join(".git").symlink_metadata().is_ok() {
            break;
        }
    }
    Ok(None)
}

/// A file that was found, not named, is used only if it belongs to this user, to the system, or to the owner of the input: in a folder
/// that all can write to, such as `/tmp`, others could put one.
fn trusted(file: &Path, input: &Path) -> bool {
    let owner = |path: &Path| std::fs::metadata(path).ok().map(|found| found.uid());
    let of_file = owner(file);
    let own = rustix::process::geteuid().as_raw();
    if of_file.is_none() || of_file == Some(own) || of_file == Some(0) || of_file == owner(input) {
        return true;
    }
    let name = shown(file);
    terminal::complain(&format!(
        "{} belongs to another user and is not used; --config {} uses it",
        name.display(),
        name.display()
    ));
    false
}

/// Relative to the current folder, where it lies in it.
fn shown(file: &Path) -> PathBuf {
    let here = std::env::current_dir().and_then(|here| here.canonicalize()).unwrap_or_default();
    file.strip_prefix(&here).map_or_else(|_| file.to_path_buf(), Path::to_path_buf)
}
