//! How paths reach the compiler, and what the program then calls its files.
//!
//! clang takes a source that begins with `-` for an option, even behind `--`, and a word that begins with `@` for a
//! response file. So every path is absolute or begins with `./` or `../`; where the `./` was added, prefix maps take it
//! out of `__FILE__` and of the debug information again, so that the program is that of the user's spelling.

use std::ffi::OsString;
use std::path::{Component, Path, PathBuf};

use super::CompileOptions;

/// Whether `./` has to be put before a path.
fn needs_dot(path: &Path) -> bool {
    !matches!(
        path.components().next(),
        Some(Component::RootDir | Component::Prefix(_) | Component::CurDir | Component::ParentDir)
    )
}

/// A path as an argument: absolute, or with `./` or `../` before it.
pub(super) fn argument(path: &Path) -> PathBuf {
    if needs_dot(path) { Path::new(".").join(path) } else { path.to_path_buf() }
}

/// What a source is called in the program.
pub fn called(path: &Path, options: &CompileOptions) -> String {
    options.names.get(path).cloned().unwrap_or_else(|| path.display().to_string())
}

/// The module's own name for its source, as the user knows it.
pub fn rename(name: &mut Option<Box<str>>, path: &Path, options: &CompileOptions) {
    if name.as_deref().is_some_and(|name| Path::new(name) == argument(path)) {
        *name = Some(called(path, options).into());
    }
}

/// Flags that give the source, and what lies in its folder, their names.
pub(super) fn maps(path: &Path, options: &CompileOptions) -> Vec<OsString> {
    let argument = argument(path).display().to_string();
    let mut maps = own_maps(path, &argument, options);
    // A file that this one includes.
    let others = options.names.iter().filter(|(other, _)| *other != path && other.is_absolute());
    maps.extend(others.map(|(other, name)| map(&other.display().to_string(), name)));
    maps
}

fn map(from: &str, to: &str) -> OsString {
    OsString::from(format!("-ffile-prefix-map={from}={to}"))
}

fn own_maps(path: &Path, argument: &str, options: &CompileOptions) -> Vec<OsString> {
    match options.names.get(path) {
        Some(name) if *name != argument => {
            let folder = |name: &str| name.rfind('/').map_or(String::new(), |end| name[..=end].to_string());
            let (from, to) = (folder(argument), folder(name));
            let mut maps = vec![map(argument, name)];
            if !from.is_empty() && from != to {
                maps.push(map(&from, &to));
            }
            maps
        }
        None if needs_dot(path) => vec![map("./", "")],
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_path_can_be_taken_for_an_option() {
        for path in ["-dash.c", "@x.c", "a.c", "d/a.c", "-d/@a.c", " .c"] {
            assert_eq!(argument(Path::new(path)), Path::new(".").join(path));
            assert!(argument(Path::new(path)).display().to_string().starts_with("./"));
        }
        for path in ["/a.c", "./a.c", "../a.c", "./-x.c"] {
            assert_eq!(argument(Path::new(path)), Path::new(path));
        }
    }
}
