//! From the name of a linked program to its sources, each with its own flags.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use raddle_clang::database::Entry;
use raddle_clang::flags::{Refused, vet_command};

use super::{Link, Part, Store, Unit, is_record, read_record};
use crate::error::DriverError;
use crate::nearest::nearest;

/// Targets that are named in one message.
const MOST_NAMED: usize = 12;

/// The record of the link step that made a program. `place` is a store, or a folder with one; without it, the nearest above
/// the current folder is taken. Without a name there must be one program only.
pub fn link_target(name: Option<&str>, place: Option<&Path>) -> Result<PathBuf, DriverError> {
    let store = find_store(place)?;
    let links: Vec<(PathBuf, Link)> = store.all("links");
    if links.is_empty() {
        return Err(DriverError::input(format!("{} has no linked program", store.0.display()))
            .hint("build the program anew with CC=raddle-cc, its link step too"));
    }
    let listed = |links: &[&(PathBuf, Link)]| {
        let mut names: Vec<String> =
            links.iter().take(MOST_NAMED).map(|(_, link)| link.output.display().to_string()).collect();
        names.extend((links.len() > MOST_NAMED).then(|| format!("{} more", links.len() - MOST_NAMED)));
        names.join(", ")
    };
    let every: Vec<&(PathBuf, Link)> = links.iter().collect();
    let Some(name) = name else {
        return match &every[..] {
            [(path, _)] => Ok(path.clone()),
            several => Err(DriverError::usage(format!("{} has {}", store.0.display(), listed(several)))
                .hint("--link-target NAME chooses one")),
        };
    };
    // The whole path, or its last parts.
    let whole = Path::new(name).canonicalize().or_else(|_| std::path::absolute(name));
    let whole = whole.unwrap_or_else(|_| name.into());
    let exact: Vec<&(PathBuf, Link)> = links.iter().filter(|(_, link)| link.output == whole).collect();
    let fitting: Vec<&(PathBuf, Link)> = match exact.is_empty() {
        true => links.iter().filter(|(_, link)| link.output.ends_with(name)).collect(),
        false => exact,
    };
    match &fitting[..] {
        [(path, _)] => Ok(path.clone()),
        [] => {
            let file_name =
                |link: &Link| link.output.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let known: Vec<String> = links.iter().map(|(_, link)| file_name(link)).collect();
            let hint = match nearest(name, known.iter().map(|known| &known[..])) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("it has {}", listed(&every)),
            };
            Err(DriverError::usage(format!("{} has no linked program `{name}`", store.0.display()))
                .hint(hint))
        }
        several => Err(DriverError::usage(format!("`{name}` is the name of {}", listed(several)))
            .hint("name more of the path")),
    }
}

fn find_store(place: Option<&Path>) -> Result<Store, DriverError> {
    if let Some(place) = place {
        return Store::at(place).ok_or_else(|| {
            DriverError::input(format!("{} has no records of raddle-cc", place.display()))
                .hint("build with CC=raddle-cc and name its folder .raddle, or what RADDLE_CC_DIR names")
        });
    }
    let named = std::env::var_os("RADDLE_CC_DIR").filter(|name| !name.is_empty()).map(PathBuf::from);
    let here = std::env::current_dir().unwrap_or_default();
    let store = match named {
        Some(named) => Store::at(&named),
        None => Store::above(&here),
    };
    store.ok_or_else(|| {
        DriverError::input("no records of raddle-cc in the current folder or above it")
            .hint("build with CC=raddle-cc, or name the folder with the records: raddle check FOLDER --link-target NAME")
    })
}

/// Whether a file is the record of a link step, by its name and place.
pub fn is_link(path: &Path) -> bool {
    let folder = path.parent().and_then(Path::file_name);
    is_record(path) && folder.is_some_and(|folder| folder == "links")
}

/// The sources of a linked program, with what is worth knowing.
#[derive(Clone, Debug, Default)]
pub struct LinkedSources {
    pub entries: Vec<Entry>,
    pub notes: Vec<String>,
    /// Where its compilers ran.
    pub folders: Vec<PathBuf>,
}

/// Reads the record of a link step and of all that it put together.
pub fn sources_of(record: &Path, trust: bool) -> Result<LinkedSources, DriverError> {
    let link: Link = read_record(record)?;
    let store = Store(record.parent().and_then(Path::parent).unwrap_or(Path::new("")).to_path_buf());
    let units: Vec<(PathBuf, Unit)> = store.all("units");
    let links: Vec<(PathBuf, Link)> = store.all("links");
    let mut gathering = Gathering { trust, name: link.output.display().to_string(), ..Gathering::default() };
    for (_, unit) in &units {
        gathering.by_output.insert(&unit.output, unit);
        if let Some(content) = &unit.content {
            gathering.by_content.entry(content).or_default().push(unit);
        }
    }
    for (_, link) in &links {
        gathering.links.insert(&link.output, link);
    }
    gathering.link(&link)?;
    gathering.finish()
}

#[derive(Default)]
struct Gathering<'a> {
    trust: bool,
    /// The program.
    name: String,
    by_output: BTreeMap<&'a Path, &'a Unit>,
    by_content: BTreeMap<&'a str, Vec<&'a Unit>>,
    links: BTreeMap<&'a Path, &'a Link>,
    seen: BTreeSet<PathBuf>,
    units: Vec<Unit>,
    /// Members of archives and sources of other languages, which are not C that was seen.
    unknown: Vec<String>,
    foreign: Vec<String>,
}

impl Gathering<'_> {
    fn link(&mut self, link: &Link) -> Result<(), DriverError> {
        if !self.seen.insert(link.output.clone()) {
            return Ok(());
        }
        for part in &link.parts {
            match part {
                Part::Unit(unit) => self.units.push(unit.clone()),
                Part::Foreign { path } => self.foreign.push(path.display().to_string()),
                Part::Object { path, content } => self.object(path, content)?,
                Part::Member { archive, name, content } => match self.made(content, |unit| {
                    unit.output.file_name().is_some_and(|file| name[..] == *file.to_string_lossy())
                }) {
                    Some(unit) => self.units.push(unit),
                    None => self.unknown.push(format!("{}({name})", archive.display())),
                },
                Part::Shared { path } => {
                    let real = path.canonicalize().unwrap_or_else(|_| path.clone());
                    match self.links.get(path.as_path()).or_else(|| self.links.get(real.as_path())).copied() {
                        Some(library) => self.link(library)?,
                        None => self.unknown.push(path.display().to_string()),
                    }
                }
            }
        }
        Ok(())
    }

    /// The unit with this content, one that `preferred` accepts first.
    fn made(&self, content: &str, preferred: impl Fn(&Unit) -> bool) -> Option<Unit> {
        let all = self.by_content.get(content)?;
        all.iter().find(|unit| preferred(unit)).or(all.first()).map(|unit| (*unit).clone())
    }

    fn object(&mut self, path: &Path, content: &str) -> Result<(), DriverError> {
        if let Some(unit) = self.made(content, |unit| unit.output == path) {
            self.units.push(unit);
        } else if let Some(inner) = self.links.get(path).copied() {
            // Of `cc -r`.
            self.link(inner)?;
        } else if let Some(unit) = self.by_output.get(path) {
            // Compiled again since it was linked.
            self.units.push((*unit).clone());
        } else {
            let what =
                format!("{} has {} in it, which raddle-cc did not see made", self.name, path.display());
            return Err(DriverError::input(what).hint(
                "remove the object files and build the whole program anew with CC=raddle-cc, or name its sources",
            ));
        }
        Ok(())
    }

    fn finish(self) -> Result<LinkedSources, DriverError> {
        let Gathering { trust, name, units, unknown, mut foreign, .. } = self;
        let mut sources = LinkedSources::default();
        let others = units.iter().filter(|unit| unit.foreign);
        foreign.extend(others.map(|unit| unit.file.display().to_string()));
        if units.iter().all(|unit| unit.foreign) {
            return Err(DriverError::input(format!("{name} has no C source that raddle-cc saw compiled"))
                .hint("remove the object files and build the whole program anew with CC=raddle-cc"));
        }
        for unit in units.into_iter().filter(|unit| !unit.foreign) {
            let file: PathBuf = unit.directory.join(&unit.file).components().collect();
            let flags =
                vet_command(&unit.arguments, &file, &unit.directory, trust).map_err(|Refused(flags)| {
                    DriverError::input(format!(
                        "{name}: {} was compiled with flags that are not passed on to the compiler: `{}`",
                        file.display(),
                        flags.join("` `")
                    ))
                    .hint("--trust-flags, if the source of the flags is trusted; or build without them")
                })?;
            if !sources.folders.contains(&unit.directory) {
                sources.folders.push(unit.directory.clone());
            }
            let entry = Entry { file, flags };
            if !sources.entries.contains(&entry) {
                sources.entries.push(entry);
            }
        }
        let mut note = |what: &str, all: &[String]| {
            if let Some(first) = all.first() {
                let more = if all.len() > 1 { format!(" and {} more", all.len() - 1) } else { String::new() };
                sources.notes.push(format!("{name}: {what}: {first}{more}"));
            }
        };
        note("linked, but not compiled by raddle-cc, so left out", &unknown);
        note("linked, but not C, so left out", &foreign);
        Ok(sources)
    }
}
