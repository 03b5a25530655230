//! `--svcomp` and `--witness`: the property file before the run, the answer of the competition and its witnesses after it.
//!
//! The line `svcomp: ...` is the last one on standard output, after `result: ...`; `contrib/raddle.py` gives it to BenchExec.

use crate::arguments::{CheckArguments, DataModelArgument, FormatArgument, OptimizeArgument};
use crate::output::OutputFile;
use crate::{INPUT, USAGE, terminal};
use raddle_report::witness::{WitnessOptions, graphml, yaml};
use raddle_report::{Answer, PropertyFile, PropertyFileError};
use raddle_trace::Report;
use sha2::{Digest, Sha256};
use std::time::{SystemTime, UNIX_EPOCH};

/// The largest property file that is read.
const MOST_PROPERTY: u64 = 1 << 20;
/// As much as is compiled.
const MOST_SOURCE: u64 = 64 << 20;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    GraphMl,
    Yaml,
}

/// The property file and where the witnesses go.
pub struct Task {
    pub file: PropertyFile,
    witnesses: Vec<(OutputFile, Form)>,
}

/// Reads the property file and checks the places of the witnesses; a message and an exit code where something is wrong.
pub fn prepare(arguments: &CheckArguments) -> Result<Option<Task>, (String, u8)> {
    let Some(path) = &arguments.svcomp else { return Ok(None) };
    let usage = |message: String| (message, USAGE);
    if arguments.output.is_none() && arguments.format != FormatArgument::Text {
        return Err(usage("--svcomp prints lines of its own; add --output FILE for the report".into()));
    }
    if !matches!(arguments.optimize, None | Some(OptimizeArgument::O0)) {
        return Err(usage("--svcomp is about the code as it was written; leave out --optimize".into()));
    }
    let mut witnesses = Vec::new();
    for witness in &arguments.witnesses {
        let form = match witness.extension().and_then(|extension| extension.to_str()) {
            Some("graphml") => Form::GraphMl,
            Some("yml" | "yaml") => Form::Yaml,
            _ => {
                let name = witness.display();
                return Err(usage(format!("{name}: a witness is a .graphml, .yml or .yaml file")));
            }
        };
        witnesses.push((OutputFile::claim(witness).map_err(usage)?, form));
    }
    let name = path.display();
    let bytes =
        raddle_driver::read_regular(path, MOST_PROPERTY).map_err(|error| (error.to_string(), INPUT))?;
    let text = String::from_utf8(bytes).map_err(|_| (format!("{name}: not text in UTF-8"), INPUT))?;
    let file = PropertyFile::read(&text).map_err(|error| match error {
        PropertyFileError::Malformed(why) => (format!("{name}: this is no property file: {why}"), INPUT),
        PropertyFileError::Unsupported(what) => {
            (format!("{name}: the property is not supported: {what}"), USAGE)
        }
    })?;
    Ok(Some(Task { file, witnesses }))
}

/// The last line.
pub fn line(file: &PropertyFile, report: &Report) -> String {
    format!("svcomp: {}\n", file.answer(report))
}

impl Task {
    /// Writes the witnesses and prints the last line; `false` if something was lost.
    pub fn finish(self, report: &Report, arguments: &CheckArguments) -> bool {
        let answer = self.file.answer(report);
        let mut complete = true;
        if let Answer::Unknown { why } = &answer {
            terminal::complain(&format!("svcomp: {why}"));
        }
        match witness_options(&answer, arguments) {
            Ok(Some(options)) => {
                for (place, form) in self.witnesses {
                    let text = render(form, &answer, &options, self.file.error_function());
                    if let Err(message) = place.write(&text) {
                        terminal::complain(&message);
                        complete = false;
                    }
                }
            }
            Ok(None) => {}
            Err(message) => {
                terminal::complain(&format!("no witness was written: {message}"));
                complete = self.witnesses.is_empty();
            }
        }
        terminal::print(&line(&self.file, report)) && complete
    }
}

fn render(form: Form, answer: &Answer<'_>, options: &WitnessOptions, error_function: Option<&str>) -> String {
    let trace = match answer {
        Answer::False { trace, .. } => Some(*trace),
        Answer::True { .. } | Answer::Unknown { .. } => None,
    };
    if form == Form::GraphMl {
        return graphml(trace, options);
    }
    if trace.is_some_and(|trace| trace.threads.len() > 1) {
        terminal::complain(
            "the YAML format of witnesses has no threads; the schedule is in a witness with the name FILE.graphml",
        );
    }
    yaml(trace, options, error_function)
}

/// Nothing where there is no answer to witness.
fn witness_options(
    answer: &Answer<'_>,
    arguments: &CheckArguments,
) -> Result<Option<WitnessOptions>, String> {
    let specification = match answer {
        Answer::True { specification } | Answer::False { specification, .. } => (*specification).to_string(),
        Answer::Unknown { .. } => return Ok(None),
    };
    if arguments.witnesses.is_empty() {
        return Ok(None);
    }
    let mut files = Vec::new();
    for input in &arguments.inputs {
        let bytes = raddle_driver::read_regular(input, MOST_SOURCE).map_err(|error| error.to_string())?;
        files.push((input.display().to_string(), hexadecimal(&Sha256::digest(bytes))));
    }
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    let creation_time = time_text(now);
    let mut seed = Sha256::new();
    for text in [&specification, &creation_time, &answer.to_string()] {
        seed.update(text.as_bytes());
        seed.update([0]);
    }
    files.iter().for_each(|(name, hash)| seed.update(format!("{name}\0{hash}\0").as_bytes()));
    let uuid = uuid(&seed.finalize());
    let ilp32 = arguments.data_model == Some(DataModelArgument::Ilp32);
    Ok(Some(WitnessOptions { files, specification, ilp32, creation_time, uuid }))
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A UUID of version 8 (RFC 9562): a hash of what the witness is about.
fn uuid(hash: &[u8]) -> String {
    let mut bytes: Vec<u8> = hash.iter().copied().take(16).collect();
    bytes[6] = bytes[6] & 0x0f | 0x80;
    bytes[8] = bytes[8] & 0x3f | 0x80;
    let digits = hexadecimal(&bytes);
    let parts = [&digits[..8], &digits[8..12], &digits[12..16], &digits[16..20], &digits[20..]];
    parts.join("-")
}

/// Seconds since 1970 as `2024-01-31T12:00:00Z`. The Gregorian calendar repeats after 400 years, which begin in March here so
/// that a leap day is the last day of a year.
fn time_text(seconds: u64) -> String {
    const DAYS_TO_1970: u64 = 719_468;
    const DAYS_OF_ERA: u64 = 146_097;
    let days = seconds / 86_400 + DAYS_TO_1970;
    let (era, day) = (days / DAYS_OF_ERA, days % DAYS_OF_ERA);
    let year_of_era = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = era * 400 + year_of_era + u64::from(month <= 2);
    let (hour, minute, second) = (seconds / 3600 % 24, seconds / 60 % 60, seconds % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times() {
        for (seconds, text) in [
            (0, "1970-01-01T00:00:00Z"),
            (951_782_399, "2000-02-28T23:59:59Z"),
            (951_782_400, "2000-02-29T00:00:00Z"),
            (1_709_164_800, "2024-02-29T00:00:00Z"),
            (1_735_689_599, "2024-12-31T23:59:59Z"),
            (4_107_542_400, "2100-03-01T00:00:00Z"),
        ] {
            assert_eq!(time_text(seconds), text);
        }
    }

    #[test]
    fn uuids() {
        assert_eq!(uuid(&[0xff; 32]), "ffffffff-ffff-8fff-bfff-ffffffffffff");
    }
}
