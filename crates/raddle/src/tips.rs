//! What to try after a mistake on the command line that has a usual cause: compiler flags, a forgotten subcommand, lists.

use clap::error::{ContextKind, ContextValue, ErrorKind};

/// One sentence, if the cause is known.
pub fn tip(error: &clap::Error) -> Option<String> {
    let text = |kind: ContextKind| match error.get(kind) {
        Some(ContextValue::String(text)) => Some(text.clone()),
        _ => None,
    };
    match error.kind() {
        ErrorKind::InvalidSubcommand => {
            let word = text(ContextKind::InvalidSubcommand)?;
            let is_input =
                [".c", ".i", ".ll", ".bc", ".bp", ".tts", ".json"].iter().any(|end| word.ends_with(end));
            (is_input || std::path::Path::new(&word).exists()).then(|| format!("raddle check {word}"))
        }
        ErrorKind::UnknownArgument => of_flag(&text(ContextKind::InvalidArg)?).map(String::from),
        ErrorKind::ValueValidation | ErrorKind::InvalidValue => {
            let (option, value) = (text(ContextKind::InvalidArg)?, text(ContextKind::InvalidValue)?);
            if option.starts_with("--property") && value.contains(',') && !value.contains('=') {
                let each: Vec<String> = value.split(',').map(|name| format!("-p {}", name.trim())).collect();
                return Some(each.join(" "));
            }
            let is_number = value.trim_end_matches(|c: char| c.is_ascii_alphabetic()).parse::<f64>().is_ok();
            (option.starts_with("--memory-limit") && is_number)
                .then(|| "a number of megabytes, such as --memory-limit 4000".to_string())
        }
        _ => None,
    }
}

/// A flag of a compiler.
fn of_flag(flag: &str) -> Option<&'static str> {
    if flag.starts_with("-O") {
        return Some("--optimize 2, for -O2; the code as it is written is checked without it");
    }
    let begins = |starts: &[&str]| starts.iter().any(|start| flag.starts_with(start));
    if begins(&["-W", "-w", "-g", "-l", "-L", "-c"]) || flag == "-pthread" {
        return Some("leave it out: warnings, debug information and libraries make no difference");
    }
    begins(&["-f", "-m", "-include", "-U", "-isystem"]).then_some(
        "compiler flags are -D, -I and -std; others come with a compile_commands.json, or with raddle-cc",
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arguments::Arguments;
    use clap::Parser;

    #[test]
    fn usual_mistakes_have_a_tip() {
        for (words, expected) in [
            (&["raddle", "a.c"][..], "raddle check a.c"),
            (&["raddle", "check", "a.c", "-O2"], "--optimize 2"),
            (&["raddle", "check", "a.c", "-Wall"], "leave it out"),
            (&["raddle", "check", "a.c", "-fno-common"], "compile_commands.json"),
            (&["raddle", "check", "a.c", "-p", "race,assert"], "-p race -p assert"),
            (&["raddle", "check", "a.c", "--memory-limit", "4G"], "megabytes"),
        ] {
            let error = Arguments::try_parse_from(words).unwrap_err();
            let found = tip(&error).unwrap_or_default();
            assert!(found.contains(expected), "{words:?}: {found}: {error:?}");
        }
        let error = Arguments::try_parse_from(["raddle", "check", "a.c", "--nonsense"]).unwrap_err();
        assert_eq!(tip(&error), None);
    }
}
