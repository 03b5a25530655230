//! `raddle.toml`: defaults for the options of `raddle check`, under `[check]` and in profiles `[profile.NAME]`.
//!
//! Keys are the long options. Each value is given to the parser of its option, alone, so that a wrong one is reported at its
//! place in the file; then the options that the command line does not give are put before those that it gives, and
//! everything is parsed once more. So the file has no meaning of its own: a run with it is a run with some more words.
//!
//! The file may come with code of others. It cannot name programs to run or files to write, its use is printed, and what it
//! says of the meaning of the program is an assumption of the answer.

mod document;
mod find;
mod keys;

use crate::arguments::{Arguments, CheckArguments, Command};
use crate::inapplicable::inapplicable;
use crate::{INPUT, USAGE, terminal};
use clap::error::ErrorKind;
use clap::parser::ValueSource;
use clap::{ArgMatches, CommandFactory, Parser};
use document::{Document, Setting};
use keys::{Key, keys};
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::Path;

/// What a file contributed to a run.
#[derive(Clone, Debug)]
pub struct Configured {
    /// The file and its keys that decide what the program means, as an assumption; none if it has no such keys.
    pub meaning: Option<String>,
}

/// A message and its exit code.
type Refusal = (String, u8);

/// The arguments of `raddle check` with those of the file. `words` is the whole command line; the error is the exit code.
pub fn apply(words: &[OsString], given: &CheckArguments) -> Result<Box<CheckArguments>, u8> {
    let refuse = |(message, code): Refusal| {
        terminal::complain(&message);
        code
    };
    let Some(place) = find::find(given).map_err(refuse)? else {
        if let Some(profile) = &given.profile {
            return Err(refuse((
                format!("--profile {profile}: there is no raddle.toml; name one with --config"),
                USAGE,
            )));
        }
        return required(Box::new(given.clone()));
    };
    let document = document::read(&place).map_err(refuse)?;
    let settings = document.settings(given.profile.as_deref()).map_err(|message| refuse((message, USAGE)))?;
    let mut merged = Merge::new(words, settings);
    let mut arguments = merged.run(&document, given).map_err(refuse)?;
    arguments.configured = Some(Configured { meaning: merged.meaning(&document) });
    if !given.quiet {
        terminal::complain(&merged.sentence(&document, given.profile.as_deref()));
    }
    required(arguments)
}

/// There must be something to check.
fn required(mut arguments: Box<CheckArguments>) -> Result<Box<CheckArguments>, u8> {
    if let Some(name) = &arguments.link_target {
        let place = match &arguments.inputs[..] {
            [] => None,
            [folder] => Some(folder.as_path()),
            _ => {
                terminal::complain(
                    "--link-target: at most one INPUT, the folder with the records of raddle-cc",
                );
                return Err(USAGE);
            }
        };
        let record = raddle_driver::build_record::link_target(Some(name), place);
        arguments.inputs = vec![record.map_err(|error| crate::check::fail(&error))?];
        return Ok(arguments);
    }
    if !arguments.inputs.is_empty() {
        return Ok(arguments);
    }
    let mut command = Arguments::command();
    command.build();
    let command = command.find_subcommand_mut("check").expect("a subcommand");
    let message = "the following required arguments were not provided:\n  <INPUT>...";
    let _ = command.error(ErrorKind::MissingRequiredArgument, message).print();
    Err(USAGE)
}

/// The settings of a file that are in force, and the words of the command line.
struct Merge<'a> {
    words: &'a [OsString],
    used: Vec<Setting>,
}

impl Merge<'_> {
    fn new<'a>(words: &'a [OsString], settings: Vec<Setting>) -> Merge<'a> {
        let matches = Arguments::command().try_get_matches_from(words).ok();
        let check = matches.as_ref().and_then(|matches| matches.subcommand_matches("check"));
        let used = settings.into_iter().filter(|setting| check.is_none_or(|check| stays(setting, check)));
        Merge { words, used: used.collect() }
    }

    /// Parses both, without the settings that do not apply to the input or engine.
    fn run(&mut self, document: &Document, given: &CheckArguments) -> Result<Box<CheckArguments>, Refusal> {
        loop {
            let arguments = self.parse()?;
            if given.restrict_includes.is_some() {
                self.refuse_outside(document)?;
            }
            let Some(found) = inapplicable(&arguments) else { return Ok(arguments) };
            let Some(at) = self.used.iter().position(|setting| setting.key.name == found.option[2..]) else {
                return Ok(arguments);
            };
            let setting = self.used.remove(at);
            terminal::complain(&format!("{}: not used: {}", setting.place, found.message));
        }
    }

    fn parse(&self) -> Result<Box<CheckArguments>, Refusal> {
        let own = self.used.iter().flat_map(|setting| setting.words.iter().cloned());
        let (program, rest) = self.words.split_at(self.words.len().min(2));
        let all: Vec<OsString> = program.iter().cloned().chain(own).chain(rest.iter().cloned()).collect();
        match Arguments::try_parse_from(all) {
            Ok(Arguments { command: Command::Check(arguments) }) => Ok(arguments),
            Ok(_) => Err(("the configuration does not belong to this command".into(), USAGE)),
            Err(error) => Err((keys::sentence(&error), USAGE)),
        }
    }

    /// With `--restrict-includes`, a file that came with the code must not permit other folders than its own.
    fn refuse_outside(&self, document: &Document) -> Result<(), Refusal> {
        let folder = if document.folder.as_os_str().is_empty() { Path::new(".") } else { &document.folder };
        let folder =
            folder.canonicalize().map_err(|error| unreadable(format!("{}: {error}", document.name)))?;
        for setting in &self.used {
            let inside = |path: &Path| path.canonicalize().is_ok_and(|path| path.starts_with(&folder));
            if let Some(path) = setting.paths.iter().find(|path| !inside(path)) {
                let message = format!(
                    "{}: {} is outside the folder of this file, which --restrict-includes does not permit",
                    setting.place,
                    path.display()
                );
                return Err((message, USAGE));
            }
        }
        Ok(())
    }

    /// What is printed about the use of the file.
    fn sentence(&self, document: &Document, profile: Option<&str>) -> String {
        let profile = profile.map(|name| format!(", profile `{name}`")).unwrap_or_default();
        let names = self.names(|_| true);
        let what = if names.is_empty() { "nothing of it applies".into() } else { names };
        format!("using {}{profile}: {what}", document.name)
    }

    fn meaning(&self, document: &Document) -> Option<String> {
        let names = self.names(|key| key.changes_meaning);
        (!names.is_empty()).then(|| format!("{}: {names}", document.name))
    }

    fn names(&self, which: impl Fn(&Key) -> bool) -> String {
        let says = |setting: &&Setting| !setting.words.is_empty() && which(&setting.key);
        let names: BTreeSet<&str> =
            self.used.iter().filter(says).map(|setting| &setting.key.name[..]).collect();
        names.into_iter().collect::<Vec<_>>().join(", ")
    }
}

/// Whether a setting is in force beside these options: not if the option itself or one that excludes it is given. Macros
/// and include folders add up, those of the command line come last and win.
fn stays(setting: &Setting, check: &ArgMatches) -> bool {
    let given = |id: &str| check.value_source(id) == Some(ValueSource::CommandLine);
    if setting.key.excluded_by.iter().any(|id| given(id)) {
        return false;
    }
    setting.key.adds_up || !given(&setting.key.id)
}

/// Why a file cannot be read: its exit code is that of an unreadable input.
fn unreadable(message: String) -> Refusal {
    (message, INPUT)
}
