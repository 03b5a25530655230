//! From a finished run of a compiler to its records.

use std::path::{Path, PathBuf};
use std::time::SystemTime;

use raddle_clang::invocation::{self, Invocation, Linked, Mode};

use super::{Link, Part, Store, Unit, archive, command_database, hash};
use crate::inputs::read_regular;

/// The largest object file that is compared.
const MOST_OBJECT: u64 = 1 << 30;

/// The real compiler, perhaps behind a launcher such as ccache, with flags that belong to it.
#[derive(Clone, Debug)]
pub struct Compiler(pub Vec<String>);

impl Compiler {
    /// The programs, and the flags.
    fn parts(&self) -> (&[String], &[String]) {
        let first = self.0.iter().position(|word| word.starts_with('-')).unwrap_or(self.0.len());
        self.0.split_at(first)
    }
}

/// A run of a compiler that has not begun.
#[derive(Clone, Debug)]
pub struct Run {
    compiler: Compiler,
    directory: PathBuf,
    /// With those of response files, which may be gone afterwards.
    words: Vec<String>,
    invocation: Invocation,
}

impl Run {
    /// What the words behind the compiler's name mean in a folder.
    pub fn of(compiler: &Compiler, words: &[String], directory: &Path) -> Result<Run, String> {
        let words = invocation::expand_response_files(words, directory)?;
        let (_, own) = compiler.parts();
        let invocation = invocation::read(&[own, &words[..]].concat());
        Ok(Run { compiler: compiler.clone(), directory: directory.to_path_buf(), words, invocation })
    }

    /// Whether it makes anything that is recorded.
    pub fn is_recorded(&self) -> bool {
        let Invocation { mode, sources, foreign, linked, from_input, .. } = &self.invocation;
        match mode {
            Mode::Other => false,
            Mode::Compile => !from_input && (!sources.is_empty() || !foreign.is_empty()),
            Mode::Link => !from_input && (!sources.is_empty() || !linked.is_empty()),
        }
    }

    /// One name for a file, however it is spelt.
    fn absolute(&self, path: &str) -> PathBuf {
        let joined = self.directory.join(path);
        joined.canonicalize().unwrap_or_else(|_| joined.components().collect())
    }

    fn unit(&self, source: &str) -> Unit {
        let object = self.invocation.object_of(source);
        let (programs, _) = self.compiler.parts();
        let mut arguments: Vec<String> = programs.to_vec();
        arguments.extend(self.invocation.flags.iter().cloned());
        arguments.extend(["-c".to_string(), source.to_string()]);
        Unit {
            directory: self.directory.clone(),
            file: source.into(),
            arguments,
            output: self.absolute(&object.to_string_lossy()),
            content: None,
            foreign: self.invocation.foreign.iter().any(|other| other == source),
        }
    }

    fn parts(&self) -> Vec<Part> {
        let sources = self.invocation.sources.iter().map(|source| Part::Unit(self.unit(source)));
        let foreign =
            self.invocation.foreign.iter().map(|source| Part::Foreign { path: self.absolute(source) });
        let mut parts: Vec<Part> = sources.chain(foreign).collect();
        for linked in &self.invocation.linked {
            let path = match linked {
                Linked::File(name) => Some(self.absolute(name)),
                Linked::Library(name) => self.library(name),
            };
            parts.extend(path.map(|path| self.file_parts(&path)).unwrap_or_default());
        }
        parts
    }

    /// `-lNAME` in the folders of the command. Libraries of the system are not recorded.
    fn library(&self, name: &str) -> Option<PathBuf> {
        let names = match name.strip_prefix(':') {
            Some(whole) => vec![whole.to_string()],
            None => vec![format!("lib{name}.so"), format!("lib{name}.a")],
        };
        let folders = self.invocation.library_folders.iter().map(|folder| self.absolute(folder));
        folders.flat_map(|folder| names.iter().map(move |name| folder.join(name))).find(|path| path.is_file())
    }

    fn file_parts(&self, path: &Path) -> Vec<Part> {
        if let Some(members) = archive::members(path) {
            let member = |(name, content): archive::Member| Part::Member {
                archive: path.to_path_buf(),
                name,
                content: hash(&content),
            };
            return members.into_iter().map(member).collect();
        }
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if name.ends_with(".so") || name.contains(".so.") {
            return vec![Part::Shared { path: path.to_path_buf() }];
        }
        match read_regular(path, MOST_OBJECT) {
            Ok(bytes) if bytes.starts_with(b"\x7fELF") || bytes.starts_with(b"BC") => {
                vec![Part::Object { path: path.to_path_buf(), content: hash(&bytes) }]
            }
            // Linker scripts and lists of symbols.
            _ => Vec::new(),
        }
    }
}

/// Writes the records of a run that was successful.
pub fn record(run: &Run, store: &Store) -> std::io::Result<()> {
    let linked = run.invocation.mode == Mode::Link;
    if linked {
        let output = run.absolute(run.invocation.output.as_deref().unwrap_or("a.out"));
        let parts = run.parts();
        for part in &parts {
            if let Part::Unit(unit) = part {
                // Under the name of the program: several links compile one source in different ways.
                let mut own = output.clone().into_os_string();
                own.push(format!(" {}", unit.file.display()));
                store.put("units", Path::new(&own), Unit { output: output.clone(), ..unit.clone() })?;
            }
        }
        let arguments = run.compiler.0.iter().chain(&run.words).cloned().collect();
        store.put(
            "links",
            &output.clone(),
            Link { directory: run.directory.clone(), arguments, output, parts },
        )?;
    } else {
        for source in run.invocation.sources.iter().chain(&run.invocation.foreign) {
            let mut unit = run.unit(source);
            let Ok(bytes) = read_regular(&unit.output, MOST_OBJECT) else { continue };
            unit.content = Some(hash(&bytes));
            store.put("units", &unit.output.clone(), unit)?;
        }
    }
    command_database::update(store, SystemTime::now(), linked)
}
