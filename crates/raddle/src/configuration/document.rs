//! The text of a configuration: tables, keys and values, each with its place.

use super::keys::{Form, REFUSED, check_words};
use super::{Key, Refusal, keys, unreadable};
use crate::terminal;
use raddle_driver::nearest;
use std::ffi::OsString;
use std::ops::Range;
use std::path::{Path, PathBuf};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// The largest file.
const MOST: u64 = 1 << 20;

/// A key with its value, as words of a command line.
#[derive(Clone, Debug)]
pub struct Setting {
    pub key: Key,
    pub words: Vec<OsString>,
    /// What it names, if these are paths.
    pub paths: Vec<PathBuf>,
    /// `file:line:column`.
    pub place: String,
}

/// A whole file, checked.
#[derive(Debug)]
pub struct Document {
    /// As it is shown.
    pub name: String,
    pub folder: PathBuf,
    check: Vec<Setting>,
    profiles: Vec<(String, Vec<Setting>)>,
}

impl Document {
    /// The settings of `[check]`, and those of a profile in their place.
    pub fn settings(&self, profile: Option<&str>) -> Result<Vec<Setting>, String> {
        let Some(profile) = profile else { return Ok(self.check.clone()) };
        let names = || self.profiles.iter().map(|(name, _)| &name[..]);
        let Some((_, own)) = self.profiles.iter().find(|(name, _)| name == profile) else {
            let what = match nearest(profile, names()) {
                Some(near) => format!("did you mean `{near}`?"),
                None if self.profiles.is_empty() => "it has none".into(),
                None => format!("it has {}", names().collect::<Vec<_>>().join(", ")),
            };
            return Err(format!("{} has no profile `{profile}`; {what}", self.name));
        };
        let replaced = |setting: &Setting| {
            own.iter().any(|other| {
                let excludes = !other.words.is_empty() && setting.key.excluded_by.contains(&other.key.id);
                excludes || other.key.name == setting.key.name && !setting.key.adds_up
            })
        };
        let kept = self.check.iter().filter(|setting| !replaced(setting));
        Ok(kept.chain(own).cloned().collect())
    }
}

/// Reads and checks a file, all profiles in it too.
pub fn read(path: &Path) -> Result<Document, Refusal> {
    let name = path.display().to_string();
    let bytes = raddle_driver::read_regular(path, MOST).map_err(|error| unreadable(error.to_string()))?;
    let text = String::from_utf8(bytes)
        .map_err(|_| unreadable(format!("{name}: this is no configuration: not text in UTF-8")))?;
    terminal::beware(&name);
    let folder = path.parent().unwrap_or(Path::new("")).to_path_buf();
    let reader = Reader { name: &name, text: &text, folder: &folder, keys: keys() };
    let (check, profiles) = reader.document().map_err(|message| (message, crate::USAGE))?;
    Ok(Document { name, folder, check, profiles })
}

struct Reader<'a> {
    name: &'a str,
    text: &'a str,
    folder: &'a Path,
    keys: Vec<Key>,
}

type Profiles = Vec<(String, Vec<Setting>)>;

impl Reader<'_> {
    fn document(&self) -> Result<(Vec<Setting>, Profiles), String> {
        let root = DeTable::parse(self.text).map_err(|error| {
            let at = self.place(error.span().unwrap_or_default());
            format!("{at}: {}", error.message().lines().collect::<Vec<_>>().join(" "))
        })?;
        let (mut check, mut profiles) = (Vec::new(), Vec::new());
        for (key, value) in root.get_ref() {
            // Keys in quotes may have line ends in them.
            terminal::beware(key.get_ref());
            match &key.get_ref()[..] {
                "check" => check = self.settings(self.table("check", value)?)?,
                "profile" => {
                    for (name, value) in self.table("profile", value)? {
                        terminal::beware(name.get_ref());
                        let table = self.table(&format!("profile.{}", name.get_ref()), value)?;
                        profiles.push((name.get_ref().to_string(), self.settings(table)?));
                    }
                }
                other => {
                    let what = match nearest(other, ["check", "profile"]) {
                        Some(near) => format!("did you mean `[{near}]`?"),
                        None if self.keys.iter().any(|known| known.name == other) => {
                            "options are set under [check] or [profile.NAME]".into()
                        }
                        None => "known are [check] and [profile.NAME]".into(),
                    };
                    return Err(format!("{}: unknown key `{other}`; {what}", self.place(key.span())));
                }
            }
        }
        Ok((check, profiles))
    }

    fn table<'t, 'i>(&self, name: &str, value: &'t Spanned<DeValue<'i>>) -> Result<&'t DeTable<'i>, String> {
        value.get_ref().as_table().ok_or_else(|| {
            let (at, found) = (self.place(value.span()), kind(value.get_ref()));
            format!("{at}: `{name}` is to be a table, [{name}], and is {found}")
        })
    }

    fn settings(&self, table: &DeTable) -> Result<Vec<Setting>, String> {
        // In the order of the file.
        let mut entries: Vec<_> = table.iter().collect();
        entries.sort_by_key(|(key, _)| key.span().start);
        entries.into_iter().map(|(key, value)| self.setting(key.get_ref(), key.span(), value)).collect()
    }

    fn setting(&self, name: &str, at: Range<usize>, value: &Spanned<DeValue>) -> Result<Setting, String> {
        let at = self.place(at);
        terminal::beware(name);
        if let Some((_, why)) = REFUSED.iter().find(|(refused, _)| *refused == name) {
            return Err(format!("{at}: `{name}` is for the command line only, because {why}"));
        }
        let Some(key) = self.keys.iter().find(|key| key.name == name) else {
            let what = match nearest(name, self.keys.iter().map(|key| &key.name[..])) {
                Some(near) => format!("did you mean `{near}`?"),
                None => {
                    "keys are the long options of `raddle check`, inputs, defines and include-paths".into()
                }
            };
            return Err(format!("{at}: unknown key `{name}`; {what}"));
        };
        let mut setting = Setting { key: key.clone(), words: Vec::new(), paths: Vec::new(), place: at };
        match value.get_ref() {
            DeValue::Array(items) if key.list => {
                for item in items {
                    self.add(&mut setting, item)?;
                }
            }
            _ => self.add(&mut setting, value)?,
        }
        check_words(&setting.words).map_err(|what| format!("{}: {what}", self.place(value.span())))?;
        Ok(setting)
    }

    /// Adds the words for one value.
    fn add(&self, setting: &mut Setting, value: &Spanned<DeValue>) -> Result<(), String> {
        let key = setting.key.clone();
        let wrong = |what: String| format!("{}: `{}` {what}", self.place(value.span()), key.name);
        match (value.get_ref(), key.form) {
            (DeValue::Boolean(set), Form::Flag | Form::TextOrFlag) => {
                setting.words.extend(set.then(|| key.flag()));
            }
            (DeValue::Integer(number), Form::Whole | Form::Number | Form::TextOrWhole) => {
                if number.radix() != 10 {
                    return Err(wrong("is to be a decimal number".into()));
                }
                setting.words.push(key.word(number.as_str()));
            }
            (DeValue::Float(number), Form::Number) => setting.words.push(key.word(number.as_str())),
            (DeValue::String(text), Form::Text | Form::TextOrFlag | Form::TextOrWhole) => {
                if text.contains('\0') {
                    return Err(wrong("has a zero byte in it".into()));
                }
                if text.is_empty() && (key.path || key.adds_up) {
                    return Err(wrong("must not be empty".into()));
                }
                // Of `PATH=FILE` only the second is a path of this machine.
                let (start, named) = match key.after_equals.then(|| text.split_once('=')).flatten() {
                    Some((start, named)) => (format!("{start}="), named),
                    None => (String::new(), &text[..]),
                };
                if key.path {
                    let path = self.folder.join(named);
                    setting.words.push(key.word(&format!("{start}{}", path.display())));
                    setting.paths.push(path);
                } else {
                    setting.words.push(key.word(text));
                }
            }
            (other, _) => {
                return Err(wrong(format!("is to be {}, and is {}", key.expected(), kind(other))));
            }
        }
        Ok(())
    }

    /// `file:line:column` of the beginning of a span.
    fn place(&self, span: Range<usize>) -> String {
        let start = (0..=span.start.min(self.text.len())).rev().find(|at| self.text.is_char_boundary(*at));
        let before = &self.text[..start.unwrap_or(0)];
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
        format!("{}:{line}:{column}", self.name)
    }
}

fn kind(value: &DeValue) -> &'static str {
    match value {
        DeValue::String(_) => "text",
        DeValue::Integer(_) => "a whole number",
        DeValue::Float(_) => "a number with a fraction",
        DeValue::Boolean(_) => "true or false",
        DeValue::Datetime(_) => "a date",
        DeValue::Array(_) => "a list",
        DeValue::Table(_) => "a table",
    }
}
