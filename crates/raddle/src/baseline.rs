//! `--baseline`: reads the earlier report before the run, so that a bad one costs no work.

use crate::arguments::CheckArguments;
use raddle_report::KnownViolations;

/// The largest report that is read.
const MOST_BASELINE: u64 = 1 << 30;

/// The violations of the baseline, where one is given; a message where it cannot be read.
pub fn read(arguments: &CheckArguments) -> Result<Option<KnownViolations>, String> {
    let Some(path) = &arguments.baseline else { return Ok(None) };
    let name = path.display();
    let bytes = raddle_driver::read_regular(path, MOST_BASELINE)
        .map_err(|error| format!("the baseline cannot be read: {error}"))?;
    let text =
        String::from_utf8(bytes).map_err(|_| format!("{name}: this is no baseline: not text in UTF-8"))?;
    let known = KnownViolations::read(&text).map_err(|error| {
        format!(
            "{name}: this is no baseline: {error}; it is a report of `raddle check --format json` or `sarif`"
        )
    })?;
    Ok(Some(known))
}
