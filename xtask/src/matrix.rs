//! The corpus, once for every clang on the path: what one version's output hides, another shows.

use crate::{cargo, on_path, run_to_success};
use std::path::{Path, PathBuf};

/// The versions that are supported.
pub const VERSIONS: std::ops::RangeInclusive<u32> = 14..=22;
/// Where the corpus test lives.
const CORPUS: (&str, &str) = ("raddle", "corpus");

/// Runs it; what follows is passed on to the test.
pub fn run(root: &Path, rest: &[&str]) -> Result<(), String> {
    let (package, test) = CORPUS;
    if !root.join("crates").join(package).join("tests").join(format!("{test}.rs")).is_file() {
        return Err("the corpus test is not built yet".into());
    }
    let compilers: Vec<PathBuf> =
        VERSIONS.filter_map(|version| on_path(&format!("clang-{version}"))).collect();
    if compilers.is_empty() {
        return Err("no clang-14 to clang-22 is installed; `scripts/setup.sh` installs one".into());
    }
    let mut failed = Vec::new();
    for compiler in &compilers {
        println!("== {}", compiler.display());
        let mut tests = cargo(root);
        tests
            .env("RADDLE_CLANG", compiler)
            .args(["test", "--release", "--package", package, "--test", test, "--"])
            .args(rest);
        if let Err(message) = run_to_success(&mut tests, "the corpus") {
            failed.push(format!("{}: {message}", compiler.display()));
        }
    }
    if failed.is_empty() { Ok(()) } else { Err(failed.join("\n")) }
}
