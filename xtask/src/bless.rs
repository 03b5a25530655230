//! Accepts what the tests give now: they rewrite their expectations when `BLESS=1` is set.

use crate::{cargo, run_to_success};
use std::path::Path;

/// Runs all tests, or those that `rest` selects, with `BLESS=1`.
pub fn run(root: &Path, rest: &[&str]) -> Result<(), String> {
    let mut tests = cargo(root);
    tests.env("BLESS", "1").args(["test", "--workspace"]).args(rest);
    run_to_success(&mut tests, "the test run")?;
    println!("expectations rewritten where they differed; read `git diff` before committing");
    Ok(())
}
