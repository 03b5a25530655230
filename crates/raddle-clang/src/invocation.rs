//! What one run of a compiler is about: which files it compiles, with which words, and what it links.
//!
//! By the conventions that gcc and clang share: words that take the next word as their value, `-x LANGUAGE`, response files
//! (`@FILE`), the default names of outputs. Nothing is judged here; what may reach clang is decided by [`crate::flags`].

use std::path::{Path, PathBuf};

use crate::shell_words;

/// How far a run goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    /// To object files (`-c`).
    Compile,
    /// To a program or library.
    Link,
    /// Preprocessing, assembler text, dependencies, versions: nothing that is linked.
    Other,
}

/// A file that is linked, in the order of the command.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Linked {
    /// An object file, an archive, a shared library: a file named as such.
    File(String),
    /// `-lNAME`.
    Library(String),
}

/// One run of a compiler.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Invocation {
    pub mode: Mode,
    /// C sources.
    pub sources: Vec<String>,
    /// Sources of other languages, assembler too.
    pub foreign: Vec<String>,
    pub linked: Vec<Linked>,
    /// `-L`.
    pub library_folders: Vec<String>,
    /// `-o`.
    pub output: Option<String>,
    /// The words that say how sources are compiled: all but inputs, outputs and libraries.
    pub flags: Vec<String>,
    /// A source is read from standard input.
    pub from_input: bool,
}

/// Words whose value is the next word.
const PAIRS: &[&str] = &[
    "-D",
    "-U",
    "-I",
    "-isystem",
    "-iquote",
    "-idirafter",
    "-include",
    "-imacros",
    "-isysroot",
    "-iprefix",
    "-iwithprefix",
    "-iwithprefixbefore",
    "-MF",
    "-MT",
    "-MQ",
    "-MJ",
    "-Xassembler",
    "-Xpreprocessor",
    "-Xclang",
    "-Xlinker",
    "-T",
    "-u",
    "-z",
    "-e",
    "-rpath",
    "-soname",
    "-arch",
    "-target",
    "-A",
    "-B",
    "-G",
    "-dumpbase",
    "-dumpdir",
    "-dumpbase-ext",
    "-aux-info",
    "--param",
    "-mllvm",
    "-wrapper",
    "--sysroot",
    "--config",
    "-b",
    "-V",
    "-imultilib",
    "-framework",
    "-install_name",
    "-current_version",
    "-compatibility_version",
];
/// Extensions of other languages whose files become objects.
const FOREIGN: &[&str] = &[
    "S", "s", "sx", "cc", "cp", "cxx", "cpp", "CPP", "c++", "C", "ii", "m", "mi", "mm", "f", "f90", "ll",
    "bc",
];
/// Response files name further ones at most so deep.
const DEEPEST: u32 = 8;
/// The largest response file.
const MOST_RESPONSE: u64 = 16 << 20;

/// Reads the words behind the name of the compiler.
pub fn read(words: &[String]) -> Invocation {
    let mut found = Invocation {
        mode: Mode::Link,
        sources: Vec::new(),
        foreign: Vec::new(),
        linked: Vec::new(),
        library_folders: Vec::new(),
        output: None,
        flags: Vec::new(),
        from_input: false,
    };
    let mut language: Option<String> = None;
    let mut only_files = false;
    let mut words = words.iter();
    while let Some(word) = words.next() {
        if only_files || !word.starts_with('-') {
            found.input(word, language.as_deref());
            continue;
        }
        let mut value = |flag: &str| match &word[flag.len()..] {
            "" => words.next().cloned().unwrap_or_default(),
            rest => rest.to_string(),
        };
        match word.as_str() {
            "-" => found.from_input = true,
            "--" => only_files = true,
            "-c" => found.goes_to(Mode::Compile),
            "-E" | "-S" | "-M" | "-MM" | "-fsyntax-only" | "-###" | "-emit-llvm" => {
                found.goes_to(Mode::Other)
            }
            "-Xlinker" => drop(words.next()),
            _ if word.starts_with("-Wl,") => {
                for part in word["-Wl,".len()..].split(',') {
                    found.linker_word(part);
                }
            }
            _ if word.starts_with("-x") => language = Some(value("-x")).filter(|name| name != "none"),
            _ if word.starts_with("-o") && word != "-objc" => found.output = Some(value("-o")),
            _ if word.starts_with("-l") => found.linked.push(Linked::Library(value("-l"))),
            _ if word.starts_with("-L") => found.library_folders.push(value("-L")),
            _ => {
                found.flags.push(word.clone());
                if PAIRS.contains(&word.as_str()) {
                    found.flags.extend(words.next().cloned());
                }
            }
        }
    }
    if found.sources.is_empty() && found.foreign.is_empty() && found.linked.is_empty() {
        found.mode = Mode::Other;
    }
    found
}

impl Invocation {
    /// The earliest end wins.
    fn goes_to(&mut self, mode: Mode) {
        if self.mode != Mode::Other {
            self.mode = mode;
        }
    }

    fn input(&mut self, word: &str, language: Option<&str>) {
        let extension = Path::new(word).extension().and_then(|extension| extension.to_str());
        match language {
            Some("c" | "cpp-output") => self.sources.push(word.into()),
            Some(_) => self.foreign.push(word.into()),
            None => match extension {
                Some("c" | "i") => self.sources.push(word.into()),
                Some(other) if FOREIGN.contains(&other) => self.foreign.push(word.into()),
                _ => self.linked.push(Linked::File(word.into())),
            },
        }
    }

    fn linker_word(&mut self, word: &str) {
        if let Some(name) = word.strip_prefix("-l") {
            self.linked.push(Linked::Library(name.into()));
        } else if let Some(folder) = word.strip_prefix("-L") {
            self.library_folders.push(folder.into());
        } else if !word.starts_with('-') && (word.ends_with(".a") || word.ends_with(".o")) {
            self.linked.push(Linked::File(word.into()));
        }
    }

    /// The object file that a source becomes.
    pub fn object_of(&self, source: &str) -> PathBuf {
        match &self.output {
            Some(output) => output.into(),
            None => PathBuf::from(Path::new(source).file_name().unwrap_or_default()).with_extension("o"),
        }
    }
}

/// The words with those of response files in their place. One that cannot be read is an error: what is built is not known then.
pub fn expand_response_files(words: &[String], folder: &Path) -> Result<Vec<String>, String> {
    let mut all = Vec::new();
    for word in words {
        expand(word, folder, 0, &mut all)?;
    }
    Ok(all)
}

fn expand(word: &str, folder: &Path, depth: u32, all: &mut Vec<String>) -> Result<(), String> {
    let Some(name) = word.strip_prefix('@').filter(|name| !name.is_empty()) else {
        all.push(word.into());
        return Ok(());
    };
    let path = folder.join(name);
    let Ok(found) = std::fs::metadata(&path) else {
        // As the compilers do: then it is the name of a file.
        all.push(word.into());
        return Ok(());
    };
    if depth >= DEEPEST || !found.is_file() || found.len() > MOST_RESPONSE {
        return Err(format!("the response file {} is nested too deeply or too large", path.display()));
    }
    let text = std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    let words = shell_words::split(&text).map_err(|what| format!("{} has {what}", path.display()))?;
    words.iter().try_for_each(|word| expand(word, folder, depth + 1, all))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        text.split_whitespace().map(String::from).collect()
    }

    #[test]
    fn compiling() {
        let found = read(&words("-DX=1 -I inc -O2 -MD -MF a.d -c -o out/a.o src/a.c"));
        assert_eq!(found.mode, Mode::Compile);
        assert_eq!(found.sources, ["src/a.c"]);
        assert_eq!(found.flags, words("-DX=1 -I inc -O2 -MD -MF a.d"));
        assert_eq!(found.object_of("src/a.c"), PathBuf::from("out/a.o"));
        let found = read(&words("-c a.c sub/b.c"));
        assert_eq!(found.object_of("sub/b.c"), PathBuf::from("b.o"));
    }

    #[test]
    fn linking() {
        let found = read(&words(
            "-oapp main.c a.o -Llib -lfoo -Wl,--whole-archive,libx.a,-rpath,/y -L lib2 -l bar -pthread",
        ));
        assert_eq!(found.mode, Mode::Link);
        assert_eq!(found.output.as_deref(), Some("app"));
        assert_eq!(found.sources, ["main.c"]);
        let file = |name: &str| Linked::File(name.into());
        let library = |name: &str| Linked::Library(name.into());
        assert_eq!(found.linked, [file("a.o"), library("foo"), file("libx.a"), library("bar")]);
        assert_eq!(found.library_folders, ["lib", "lib2"]);
        assert_eq!(found.flags, ["-pthread"]);
    }

    #[test]
    fn what_links_nothing() {
        for text in [
            "--version",
            "-v",
            "-E a.c",
            "-S a.c",
            "-c -E a.c",
            "-E -c a.c",
            "-M a.c",
            "-print-prog-name=ld",
            "",
        ] {
            assert_eq!(read(&words(text)).mode, Mode::Other, "{text}");
        }
        assert!(read(&words("-x c -c - -o a.o")).from_input);
    }

    #[test]
    fn languages() {
        let found = read(&words("-c -x c a.txt -x none b.S c.c d.cpp"));
        assert_eq!(found.sources, ["a.txt", "c.c"]);
        assert_eq!(found.foreign, ["b.S", "d.cpp"]);
    }
}
