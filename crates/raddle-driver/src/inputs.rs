//! From what the user named to source files: folders and compilation databases are opened up.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use raddle_clang::database::{self, DatabaseError, Entry};
use raddle_trace::GeneratedSource;

use crate::build_record;
use crate::diagnosis;
use crate::error::DriverError;
use crate::request::DataModel;

/// What kind of program an input is, by its name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum InputKind {
    C,
    BooleanProgram,
    ThreadSystem,
}

impl InputKind {
    pub fn of(input: &Path) -> InputKind {
        match input.extension().and_then(|e| e.to_str()) {
            Some("bp") => InputKind::BooleanProgram,
            Some("tts") => InputKind::ThreadSystem,
            _ => InputKind::C,
        }
    }

    /// Of the first input: others beside one that is not C are refused.
    pub fn of_all(inputs: &[PathBuf]) -> InputKind {
        inputs.first().map_or(InputKind::C, |input| InputKind::of(input))
    }
}

/// The sources, and what a compilation database says of them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sources {
    pub files: Vec<PathBuf>,
    /// Flags of single files, checked, with absolute paths.
    pub flags: BTreeMap<PathBuf, Vec<String>>,
    /// What the program calls single files, where that is not their path.
    pub names: BTreeMap<PathBuf, String>,
    /// Sources that raddle wrote.
    pub generated: BTreeMap<PathBuf, GeneratedSource>,
    /// What the databases' `-m32` or `-m64` say.
    pub data_model: Option<DataModel>,
    /// What was left out or ignored.
    pub notes: Vec<String>,
    /// The folders of what was named: the project.
    pub folders: Vec<PathBuf>,
}

impl Sources {
    /// A file of raddle's own takes the place of the source that it includes, with that one's flags.
    pub fn put_generated(&mut self, index: usize, path: &Path, source: GeneratedSource) {
        let replaced = std::mem::replace(&mut self.files[index], path.to_path_buf());
        if let Some(flags) = self.flags.get(&replaced).cloned() {
            self.flags.insert(path.to_path_buf(), flags);
        }
        self.name_generated(path, source);
    }

    /// Both files have their names in the program.
    pub fn name_generated(&mut self, path: &Path, source: GeneratedSource) {
        self.names.entry(path.to_path_buf()).or_insert_with(|| {
            path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
        });
        self.names.insert(PathBuf::from(&source.includes), source.called.clone());
        self.generated.insert(path.to_path_buf(), source);
    }
}

/// The largest database; those of the largest projects have 50 MB.
const MOST_DATABASE: u64 = 256 << 20;
/// Flags that are named in one note.
const MOST_NAMED: usize = 8;
/// How databases are made.
const ANEW: &str = "the database made anew, with the C sources: cmake -DCMAKE_EXPORT_COMPILE_COMMANDS=ON, bear -- make, or \
                    make CC=raddle-cc; or name the C files";

/// The files that a check of these inputs reads first, those of folders and databases too; none where they cannot be
/// determined: the check reports why.
pub fn source_files(inputs: &[PathBuf]) -> Vec<PathBuf> {
    expand(inputs, true).map_or_else(|_| Vec::new(), |sources| sources.files)
}

/// `trust`: flags of databases reach the compiler as they are.
pub fn expand(inputs: &[PathBuf], trust: bool) -> Result<Sources, DriverError> {
    let mut sources = Sources::default();
    for input in inputs {
        let metadata = std::fs::metadata(input)
            .map_err(|error| DriverError::input(format!("cannot read {}: {error}", input.display())))?;
        let parent = || input.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
        if metadata.is_dir() {
            sources.folders.push(input.clone());
            let database = input.join("compile_commands.json");
            if input.file_name().is_some_and(|name| name == ".raddle") {
                linked_program(&build_record::link_target(None, Some(input))?, trust, &mut sources)?;
            } else if database.is_file() {
                compile_commands(&database, trust, &mut sources)?;
            } else {
                folder(input, &mut sources)?;
            }
        } else if input.file_name().is_some_and(|n| n == "compile_commands.json") {
            sources.folders.push(parent().to_path_buf());
            compile_commands(input, trust, &mut sources)?;
        } else if build_record::is_link(input) {
            linked_program(input, trust, &mut sources)?;
        } else {
            let wrong = |what: &str| DriverError::input(format!("{}: {what}", input.display()));
            if InputKind::of(input) != InputKind::C {
                return Err(wrong("not a C (.c, .i) or LLVM (.ll, .bc) file"));
            }
            if !raddle_clang::load::is_input(input) {
                return Err(wrong("not a C (.c, .i) or LLVM (.ll, .bc) file")
                    .hint("rename the file, or give its folder or compile_commands.json"));
            }
            sources.folders.push(parent().to_path_buf());
            sources.files.push(input.clone());
        }
    }
    unite(&mut sources)?;
    Ok(sources)
}

/// A file that is named twice, perhaps once by its folder, is one source; with the flags of the database that has it.
fn unite(sources: &mut Sources) -> Result<(), DriverError> {
    let mut seen: BTreeMap<PathBuf, PathBuf> = BTreeMap::new();
    let mut files = Vec::new();
    for file in std::mem::take(&mut sources.files) {
        let real = file.canonicalize().unwrap_or_else(|_| file.clone());
        let Some(first) = seen.get(&real) else {
            seen.insert(real, file.clone());
            files.push(file);
            continue;
        };
        let (one, other) = (sources.flags.get(first).cloned(), sources.flags.get(&file).cloned());
        match (one, other) {
            (Some(one), Some(other)) if one != other => return Err(twice(&file)),
            (None, Some(flags)) => drop(sources.flags.insert(first.clone(), flags)),
            _ => {}
        }
    }
    sources.files = files;
    Ok(())
}

fn twice(file: &Path) -> DriverError {
    DriverError::input(format!("{} is compiled twice, with different flags", file.display()))
        .hint("a compile_commands.json with the files of one program")
}

fn folder(path: &Path, sources: &mut Sources) -> Result<(), DriverError> {
    let unreadable = |error| DriverError::input(format!("cannot read {}: {error}", path.display()));
    let mut files = Vec::new();
    for entry in std::fs::read_dir(path).map_err(unreadable)? {
        let file = entry.map_err(unreadable)?.path();
        if file.extension().is_some_and(|e| e == "c") {
            files.push(file);
        }
    }
    if files.is_empty() {
        let error = DriverError::input(format!("{}: contains no .c file", path.display()));
        return Err(diagnosis::below(path).into_iter().fold(error, DriverError::hint));
    }
    files.sort();
    sources.files.extend(files);
    Ok(())
}

fn compile_commands(path: &Path, trust: bool, sources: &mut Sources) -> Result<(), DriverError> {
    let name = path.display().to_string();
    let wrong = |what: String| {
        DriverError::input(format!("{name}: {what}")).hint("a JSON array of objects with `file`")
    };
    let bytes = read_regular(path, MOST_DATABASE)?;
    let useless = |what: &str| DriverError::input(format!("{name}: {what}")).hint(ANEW);
    if bytes.trim_ascii().is_empty() {
        return Err(useless("the file is empty"));
    }
    let text = String::from_utf8(bytes).map_err(|_| wrong("not text in UTF-8".into()))?;
    let folder = path.parent().unwrap_or(Path::new(""));
    let database = database::read(&text, folder, trust).map_err(|error| match error {
        DatabaseError::Form(what) => wrong(what),
        DatabaseError::Flags { file, number, flags } => DriverError::input(format!(
            "{name}: entry {number} (`{file}`) has flags that are not passed on to the compiler: `{}`",
            flags.join("` `")
        ))
        .hint("--trust-flags, if the source of the flags is trusted; or remove them"),
    })?;
    if database.entries.is_empty() {
        let what = match &database.left_out[..] {
            [] => "contains no C file: it is an empty list".to_string(),
            [only] => format!("contains no C file; skipped: {only}"),
            [first, rest @ ..] => format!("contains no C file; skipped: {first} and {} more", rest.len()),
        };
        return Err(useless(&what));
    }
    are_there(&name, &database.entries)?;
    entries(&name, database.entries, sources)?;
    note(&name, "skipped non-C files", database.left_out, sources);
    Ok(())
}

/// The sources of a program that a build with `raddle-cc` linked.
fn linked_program(record: &Path, trust: bool, sources: &mut Sources) -> Result<(), DriverError> {
    let linked = build_record::sources_of(record, trust)?;
    are_there(&record.display().to_string(), &linked.entries)?;
    entries(&record.display().to_string(), linked.entries, sources)?;
    sources.notes.extend(linked.notes);
    sources.folders.extend(linked.folders);
    Ok(())
}

/// A database may be older than the sources, or name what a build generates.
fn are_there(name: &str, entries: &[Entry]) -> Result<(), DriverError> {
    let gone: Vec<String> = entries
        .iter()
        .filter(|entry| !entry.file.exists())
        .map(|entry| entry.file.display().to_string())
        .collect();
    let more = if gone.len() > MOST_NAMED { ", ..." } else { "" };
    match &gone[..] {
        [] => Ok(()),
        [one] => Err(format!("{name}: {one} does not exist")),
        several => {
            let shown = &several[..several.len().min(MOST_NAMED)];
            let (count, all) = (several.len(), entries.len());
            Err(format!("{name}: {count} of its {all} files do not exist: {}{more}", shown.join(", ")))
        }
    }
    .map_err(|what| {
        DriverError::input(what).hint(
            "a build first, if they are generated; the database made anew, if it is older than the sources; or name the C \
             files of the program",
        )
    })
}

/// Sources with flags of their own. `name` is where they come from.
fn entries(name: &str, entries: Vec<Entry>, sources: &mut Sources) -> Result<(), DriverError> {
    let mut ignored: Vec<String> = Vec::new();
    let (mut narrow, mut wide) = (false, false);
    for entry in entries {
        let bits = entry.flags.word_size.map(|bits| match bits {
            32 => DataModel::Ilp32,
            _ => DataModel::Lp64,
        });
        // Without the flag, the compiler takes the processor's own size.
        narrow |= bits == Some(DataModel::Ilp32);
        wide |= bits != Some(DataModel::Ilp32);
        let before = sources.data_model.is_some_and(|before| bits.is_some_and(|bits| bits != before));
        if before || narrow && wide {
            let what = format!("{name}: some files are compiled with -m32 and some without");
            return Err(
                DriverError::input(what).hint("the files of one program, all with -m32 or all without")
            );
        }
        sources.data_model = bits.or(sources.data_model);
        ignored.extend(entry.flags.ignored);
        match sources.flags.insert(entry.file.clone(), entry.flags.kept.clone()) {
            Some(before) if before != entry.flags.kept => return Err(twice(&entry.file)),
            _ => {}
        }
        sources.files.push(entry.file);
    }
    note(name, "ignored flags", ignored, sources);
    Ok(())
}

fn note(name: &str, what: &str, mut all: Vec<String>, sources: &mut Sources) {
    all.sort();
    all.dedup();
    if all.is_empty() {
        return;
    }
    let rest = all.len().saturating_sub(MOST_NAMED);
    all.truncate(MOST_NAMED);
    let more = if rest > 0 { format!(" and {rest} more") } else { String::new() };
    sources.notes.push(format!("{name}: {what}: `{}`{more}", all.join("` `")));
}

/// The content of a regular file. Reading a pipe could wait for ever, and a sparse file can be larger than any memory.
pub fn read_regular(path: &Path, most: u64) -> Result<Vec<u8>, DriverError> {
    let cannot = |what: String| DriverError::input(format!("cannot read {}: {what}", path.display()));
    let found = std::fs::metadata(path).map_err(|error| cannot(error.to_string()))?;
    if !found.is_file() {
        return Err(cannot("it is not a regular file".into()));
    }
    if found.len() > most {
        return Err(cannot(format!(
            "it has {} MB; files of this kind are read up to {} MB",
            found.len() >> 20,
            most >> 20
        )));
    }
    std::fs::read(path).map_err(|error| cannot(error.to_string()))
}
