//! The keys of a configuration: the options of `raddle check`, taken from the definition of the command line, less those that a
//! file which may come with code of others must not set.

use crate::arguments::Arguments;
use clap::{Arg, ArgAction, CommandFactory, Parser};
use std::any::TypeId;
use std::ffi::OsString;
use std::path::PathBuf;

/// Why an option cannot be set.
const PROGRAMS: &str = "it names programs to run, or lets flags run them";
const FILES: &str = "it names files to write";
const ITSELF: &str = "it says which configuration is used";

/// Options that are for the command line only.
pub const REFUSED: &[(&str, &str)] = &[
    ("clang", PROGRAMS),
    ("trust-flags", PROGRAMS),
    ("output", FILES),
    ("save-trace", FILES),
    ("witness", FILES),
    ("stub-missing", FILES),
    ("certificate", FILES),
    ("config", ITSELF),
    ("no-config", ITSELF),
    ("profile", ITSELF),
];

/// Options without a long form.
const NAMES: &[(&str, &str)] =
    &[("inputs", "inputs"), ("defines", "defines"), ("include_paths", "include-paths")];

/// Under these headings, options decide what the program is.
const MEANING: &[&str] =
    &["What the program means", "A library without main", "Compiling", "Boolean programs and thread systems"];

/// What a value is in the file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    Flag,
    Whole,
    Number,
    Text,
    /// Text, or a whole number.
    TextOrWhole,
    /// Text, or `true` for the option without a value.
    TextOrFlag,
}

/// One key.
#[derive(Clone, Debug)]
pub struct Key {
    pub name: String,
    /// Of the option.
    pub id: String,
    pub form: Form,
    /// Several values are a list.
    pub list: bool,
    /// Values are paths, relative to the folder of the file.
    pub path: bool,
    /// The path follows the first `=` of a value.
    pub after_equals: bool,
    /// The values of the command line are added, instead of taking their place.
    pub adds_up: bool,
    pub changes_meaning: bool,
    /// Options that cannot be given together with this one.
    pub excluded_by: Vec<String>,
    short: Option<char>,
}

/// All of them.
pub fn keys() -> Vec<Key> {
    let mut command = Arguments::command();
    command.build();
    let check = command.find_subcommand("check").expect("a subcommand");
    let mut keys = Vec::new();
    for argument in check.get_arguments() {
        let id = argument.get_id().to_string();
        let named = NAMES.iter().find(|(other, _)| *other == id).map(|(_, name)| name.to_string());
        let Some(name) = argument.get_long().map(String::from).or(named) else { continue };
        if name == "help" || REFUSED.iter().any(|(refused, _)| *refused == name) {
            continue;
        }
        // In either direction: only one of the two names the other.
        let excludes = |one: &Arg, other: &Arg| check.get_arg_conflicts_with(one).contains(&other);
        let excluded_by = check
            .get_arguments()
            .filter(|other| excludes(argument, other) || excludes(other, argument))
            .map(|other| other.get_id().to_string());
        let heading = argument.get_help_heading().unwrap_or_default();
        keys.push(Key {
            form: form(argument),
            list: matches!(argument.get_action(), ArgAction::Append),
            path: type_of(argument) == Some(TypeId::of::<PathBuf>())
                || matches!(&id[..], "restrict_includes" | "files"),
            after_equals: id == "files",
            adds_up: matches!(&id[..], "defines" | "include_paths"),
            changes_meaning: MEANING.contains(&heading),
            excluded_by: excluded_by.collect(),
            short: argument.get_short().filter(|_| argument.get_long().is_none()),
            name,
            id,
        });
    }
    keys
}

fn type_of(argument: &Arg) -> Option<TypeId> {
    [TypeId::of::<PathBuf>(), TypeId::of::<u64>(), TypeId::of::<f64>()]
        .into_iter()
        .find(|id| argument.get_value_parser().type_id() == *id)
}

fn form(argument: &Arg) -> Form {
    let kind = type_of(argument);
    if matches!(argument.get_action(), ArgAction::SetTrue) {
        Form::Flag
    } else if kind == Some(TypeId::of::<u64>()) {
        Form::Whole
    } else if kind == Some(TypeId::of::<f64>()) {
        Form::Number
    } else if argument.get_num_args().is_some_and(|count| count.min_values() == 0)
        && !argument.is_positional()
    {
        Form::TextOrFlag
    } else if matches!(argument.get_id().as_str(), "optimize" | "initial_threads") {
        Form::TextOrWhole
    } else {
        Form::Text
    }
}

impl Key {
    /// The word for a value, as it would be on the command line.
    pub fn word(&self, value: &str) -> OsString {
        match self.short {
            Some(letter) => format!("-{letter}{value}").into(),
            // A path, which must not look like an option.
            None if self.id == "inputs" && value.starts_with('-') => format!("./{value}").into(),
            None if self.id == "inputs" => value.into(),
            None => format!("--{}={value}", self.name).into(),
        }
    }

    /// The word for the option without a value.
    pub fn flag(&self) -> OsString {
        format!("--{}", self.name).into()
    }

    /// What a value must be.
    pub fn expected(&self) -> &'static str {
        match (self.form, self.list) {
            (Form::Flag, _) => "true or false",
            (Form::Whole, _) => "a whole number",
            (Form::Number, _) => "a number",
            (Form::Text, false) => "text in quotes",
            (Form::Text, true) => "text in quotes, or a list of such",
            (Form::TextOrWhole, _) => "text in quotes or a whole number",
            (Form::TextOrFlag, false) => "text in quotes, or true",
            (Form::TextOrFlag, true) => "text in quotes, a list of such, or true",
        }
    }
}

/// What the parser of the command line says of these words alone.
pub fn check_words(words: &[OsString]) -> Result<(), String> {
    let start = ["raddle", "check"].map(OsString::from);
    match Arguments::try_parse_from(start.iter().chain(words)) {
        Ok(_) => Ok(()),
        Err(error) => Err(sentence(&error)),
    }
}

/// A message of the parser in one line.
pub fn sentence(error: &clap::Error) -> String {
    let text = error.render().to_string();
    let lines = text.lines().map(str::trim);
    let told =
        lines.take_while(|line| !line.starts_with("For more information") && !line.starts_with("Usage:"));
    let joined = told.filter(|line| !line.is_empty()).collect::<Vec<_>>().join(" ");
    joined.strip_prefix("error: ").unwrap_or(&joined).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An option that takes a file or a program is new: it must be in one of the lists.
    #[test]
    fn no_option_that_writes_or_runs_can_be_set() {
        let paths: Vec<String> = keys().into_iter().filter(|key| key.path).map(|key| key.name).collect();
        let read =
            ["inputs", "svcomp", "stdin", "file", "models", "include-paths", "restrict-includes", "baseline"];
        assert_eq!(paths, read, "name it in REFUSED, or here if it is only read");
        for (refused, _) in REFUSED {
            assert!(keys().iter().all(|key| key.name != *refused));
        }
    }

    #[test]
    fn refused_options_exist() {
        let command = Arguments::command();
        let check = command.find_subcommand("check").unwrap();
        for (refused, _) in REFUSED {
            assert!(check.get_arguments().any(|argument| argument.get_long() == Some(refused)), "{refused}");
        }
    }

    #[test]
    fn forms_follow_the_command_line() {
        let all = keys();
        let form = |name: &str| all.iter().find(|key| key.name == name).map(|key| (key.form, key.list));
        assert_eq!(form("unwind"), Some((Form::Whole, false)));
        assert_eq!(form("timeout"), Some((Form::Number, false)));
        assert_eq!(form("stats"), Some((Form::Flag, false)));
        assert_eq!(form("property"), Some((Form::Text, true)));
        assert_eq!(form("defines"), Some((Form::Text, true)));
        assert_eq!(form("volatile-is-atomic"), Some((Form::TextOrFlag, false)));
        assert_eq!(form("restrict-includes"), Some((Form::TextOrFlag, true)));
        let excluded = |name: &str| all.iter().find(|key| key.name == name).unwrap().excluded_by.clone();
        assert!(excluded("keep-going").contains(&"stop_at_first".to_string()));
        assert!(excluded("property").contains(&"svcomp".to_string()));
    }
}
