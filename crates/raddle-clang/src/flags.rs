//! Compiler flags from files that others wrote: compilation databases and traces.
//!
//! A flag can make a compiler load a plugin, start a program or write a file, so only flags on a list of ours reach
//! clang; the list is about what a flag *means*:
//!
//! - **kept**: what decides which program the source is (macros, include folders, the dialect, signedness of `char`,
//!   wrapping arithmetic, ...). Paths become absolute, relative ones against the folder of the entry.
//! - **dropped**: what every database has and what says nothing about the program (`-c`, `-o`, `-M*`, `-W*`, `-g*`,
//!   `-O*`).
//! - **ignored**: what has no meaning for a check but is worth a word (linker flags, sanitizers, instrumentation).
//! - **refused**: all the rest. Among them are plugins, `-Xclang`, `-mllvm`, response files, `-B` and the like, but
//!   also flags that are merely unknown: a check of another program than the one that is built has no value.
//!
//! `--trust-flags` passes on what is refused, as it is.

mod known;

use known::{
    BEGINNINGS, DEPENDENCIES, DROPPED_PAIRS, IGNORED_PAIRS, LAUNCHERS, PASSED_ON, PATHS, TEXTS,
    Treatment::{self, Drop, Ignore, Keep},
    WHOLE,
};
use std::path::{Component, Path, PathBuf};

/// Flags of one source after the check.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Vetted {
    /// For clang, in order.
    pub kept: Vec<String>,
    /// Without effect on the check; to be reported.
    pub ignored: Vec<String>,
    /// `-m32` or `-m64`, the last one.
    pub word_size: Option<u32>,
}

/// Flags that clang must not see.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refused(pub Vec<String>);

/// Checks the words of one entry: a compiler, then flags. `source` is the file of the entry, `folder` what relative
/// paths are relative to.
pub fn vet_command(words: &[String], source: &Path, folder: &Path, trust: bool) -> Result<Vetted, Refused> {
    let is_launcher = |word: &String| {
        let name = Path::new(word).file_name().and_then(|name| name.to_str()).unwrap_or_default();
        LAUNCHERS.contains(&name)
    };
    let launchers = words.iter().take_while(|word| is_launcher(word)).count();
    vet(words.get(launchers + 1..).unwrap_or_default(), Some(source), folder, trust)
}

/// Checks flags. What is refused is all that is refused, not the first alone.
pub fn vet(words: &[String], source: Option<&Path>, folder: &Path, trust: bool) -> Result<Vetted, Refused> {
    let mut vetted = Vetted::default();
    let mut refused = Vec::new();
    let mut words = words.iter();
    while let Some(word) = words.next() {
        let mut refuse = |vetted: &mut Vetted| match trust {
            true => vetted.kept.push(word.clone()),
            false => refused.push(word.clone()),
        };
        if !word.starts_with('-') {
            let is_source = source.is_some_and(|source| same(&folder.join(word), source));
            if !is_source {
                refuse(&mut vetted);
            }
            continue;
        }
        if word == "-" {
            refuse(&mut vetted);
            continue;
        }
        if word == "--" || DEPENDENCIES.contains(&word.as_str()) {
            continue;
        }
        if let "-m32" | "-m64" = word.as_str() {
            vetted.word_size = Some(if word == "-m32" { 32 } else { 64 });
            continue;
        }
        // How much is optimised is the check's own choice, but not what arithmetic means.
        if let Some(level) = word.strip_prefix("-O") {
            match level {
                "fast" => vetted.kept.push("-ffast-math".into()),
                "" | "s" | "z" | "g" => {}
                _ if level.chars().all(|c| c.is_ascii_digit()) => {}
                _ => refuse(&mut vetted),
            }
            continue;
        }
        if let Some(treatment) = whole(word) {
            treat(treatment, word.clone(), &mut vetted);
            continue;
        }
        if let Some(flag) = TEXTS.iter().find(|flag| word.starts_with(**flag)) {
            // Without a name the flag would take the next word for it.
            match value(word, flag, &mut words).filter(|text| !text.is_empty()) {
                Some(text) => vetted.kept.push(format!("{flag}{text}")),
                None => refuse(&mut vetted),
            }
            continue;
        }
        // `-include-pch` and `-iwithprefix` only begin like those that are known.
        let foreign =
            ["-include-pch", "-iwithprefix", "-iprefix", "-ivfsoverlay", "-iframework", "-isystem-after"];
        let path_flag = PATHS.iter().find(|flag| word.starts_with(**flag));
        if let Some(flag) = path_flag.filter(|_| !foreign.iter().any(|other| word.starts_with(other))) {
            match value(word, flag, &mut words).filter(|path| path != "-" && !path.is_empty()) {
                Some(path) => keep_path(flag, &path, folder, &mut vetted),
                None => refuse(&mut vetted),
            }
            continue;
        }
        if let Some(path) = word.strip_prefix("--sysroot=") {
            vetted.kept.push(format!("--sysroot={}", absolute(folder, path).display()));
            continue;
        }
        if let Some(flag) = DROPPED_PAIRS.iter().find(|flag| word.starts_with(**flag)) {
            if value(word, flag, &mut words).is_none() {
                refuse(&mut vetted);
            }
            continue;
        }
        if word == "--param" {
            words.next();
            continue;
        }
        if word == "-x" {
            match words.next().map(String::as_str) {
                Some("c" | "none" | "cpp-output") => {}
                _ => refuse(&mut vetted),
            }
            continue;
        }
        if matches!(word.as_str(), "-xc" | "-xnone") {
            continue;
        }
        if word == "-target" || word.starts_with("--target=") {
            let triple = match word.strip_prefix("--target=") {
                Some(triple) => Some(triple.to_string()),
                None => words.next().cloned(),
            };
            match triple.as_deref().and_then(word_size_of) {
                Some(bits) => vetted.word_size = Some(bits),
                None => refuse(&mut vetted),
            }
            continue;
        }
        if let Some(rest) = PASSED_ON.iter().find_map(|start| word.strip_prefix(start)) {
            // The kernel's way to request dependencies; all else would have to be understood.
            let parts: Vec<&str> = rest.split(',').collect();
            let dependencies = matches!(parts[..], ["-MD" | "-MMD", _] | ["-MD" | "-MMD"]);
            if word.starts_with("-Wp,") && dependencies {
                continue;
            }
            refuse(&mut vetted);
            continue;
        }
        if IGNORED_PAIRS.contains(&word.as_str()) {
            let with = words.next().map(|next| format!(" {next}")).unwrap_or_default();
            vetted.ignored.push(format!("{word}{with}"));
            continue;
        }
        if let Some(treatment) = beginning(word) {
            let alone = matches!(word.as_str(), "-l" | "-L").then(|| words.next()).flatten();
            let text = alone.map_or_else(|| word.clone(), |next| format!("{word} {next}"));
            treat(treatment, text, &mut vetted);
            continue;
        }
        refuse(&mut vetted);
    }
    if refused.is_empty() { Ok(vetted) } else { Err(Refused(refused)) }
}

fn treat(treatment: Treatment, word: String, vetted: &mut Vetted) {
    match treatment {
        Keep => vetted.kept.push(word),
        Drop => {}
        Ignore => vetted.ignored.push(word),
    }
}

fn whole(word: &str) -> Option<Treatment> {
    WHOLE.iter().find(|(_, words)| words.contains(&word)).map(|(treatment, _)| *treatment)
}

/// By the longest beginning that fits.
fn beginning(word: &str) -> Option<Treatment> {
    let all = BEGINNINGS.iter().flat_map(|(treatment, words)| words.iter().map(|w| (*treatment, *w)));
    let fits = all.filter(|(_, start)| word.starts_with(start));
    fits.max_by_key(|(_, start)| start.len()).map(|(treatment, _)| treatment)
}

/// The value behind a flag, in its word or in the next.
fn value<'a>(word: &str, flag: &str, words: &mut impl Iterator<Item = &'a String>) -> Option<String> {
    match word.strip_prefix(flag) {
        Some("") => words.next().cloned(),
        rest => rest.map(String::from),
    }
}

fn keep_path(flag: &str, path: &str, folder: &Path, vetted: &mut Vetted) {
    let found = absolute(folder, path);
    // A header of `-include` that is not in the folder is looked for in the include folders, by its bare name.
    let by_name = matches!(flag, "-include" | "-imacros") && !found.exists();
    let bare = Path::new(path).components().all(|part| matches!(part, Component::Normal(_)));
    if by_name && bare && !path.starts_with(['-', '@']) {
        vetted.kept.extend([flag.to_string(), path.to_string()]);
    } else {
        vetted.kept.extend([flag.to_string(), found.display().to_string()]);
    }
}

fn absolute(folder: &Path, path: &str) -> PathBuf {
    let joined = folder.join(path);
    std::path::absolute(&joined).unwrap_or(joined)
}

/// The sizes of the targets whose programs are understood.
fn word_size_of(triple: &str) -> Option<u32> {
    let mut parts = triple.split('-');
    let bits = match parts.next()? {
        "x86_64" | "amd64" => 64,
        "i386" | "i486" | "i586" | "i686" => 32,
        _ => return None,
    };
    parts.any(|part| part == "linux").then_some(bits)
}

/// Whether two paths name one file, with or without that file.
fn same(one: &Path, other: &Path) -> bool {
    let plain =
        |path: &Path| std::path::absolute(path).map(|path| path.components().collect::<PathBuf>()).ok();
    plain(one) == plain(other)
        || one.canonicalize().ok().is_some_and(|one| other.canonicalize().ok() == Some(one))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        text.split_whitespace().map(String::from).collect()
    }

    fn vetted(text: &str) -> Result<Vetted, Vec<String>> {
        vet(&words(text), Some(Path::new("/p/a.c")), Path::new("/p"), false).map_err(|refused| refused.0)
    }

    #[track_caller]
    fn kept(text: &str, expected: &[&str]) {
        assert_eq!(vetted(text).unwrap().kept, expected, "{text}");
    }

    #[test]
    fn what_decides_the_program_is_kept_in_order() {
        kept("-DA -D B=1 -UA -U B", &["-DA", "-DB=1", "-UA", "-UB"]);
        kept(
            "-Iinc -I /x -isystem s -iquoteq",
            &["-I", "/p/inc", "-I", "/x", "-isystem", "/p/s", "-iquote", "/p/q"],
        );
        kept(
            "-std=gnu99 -fwrapv -funsigned-char -pthread",
            &["-std=gnu99", "-fwrapv", "-funsigned-char", "-pthread"],
        );
        kept("-include cfg.h a.c", &["-include", "cfg.h"]);
        kept("-include ../cfg.h", &["-include", "/p/../cfg.h"]);
        kept("-include @x", &["-include", "/p/@x"]);
        kept("-I -plug", &["-I", "/p/-plug"]);
        kept("-I@x", &["-I", "/p/@x"]);
        kept("-c -o a.o -oa.o -O2 -g3 -Wall -Wextra -MD -MF a.d -MTa.o -MQ x -w -x c -- a.c", &[]);
        kept("-Wp,-MD,a.d -DNDEBUG", &["-DNDEBUG"]);
    }

    #[test]
    fn link_flags_never_reach_the_compiler() {
        let vetted =
            vetted("-Wl,-rpath,/x -lm -l m -L /lib -shared -fsanitize=thread -Xlinker -z a.c").unwrap();
        assert!(vetted.kept.is_empty(), "{vetted:?}");
        assert_eq!(vetted.ignored.len(), 7, "{vetted:?}");
    }

    #[test]
    fn what_names_programs_or_is_unknown_is_refused() {
        for text in [
            "-fplugin=./x.so",
            "-fpass-plugin=./x.so",
            "-fplugin-arg-x-y",
            "-Xclang",
            "-Xclang -load",
            "-mllvm",
            "-mllvm -load=x",
            "@x",
            "@/tmp/x.c",
            "-B.",
            "-B",
            "--config",
            "--config=x",
            "-specs=x",
            "--specs=x",
            "-wrapper",
            "-no-integrated-cpp",
            "-fno-integrated-cc1",
            "-fno-integrated-as",
            "-Xpreprocessor",
            "-Xassembler",
            "-Wa,-x",
            "-Wp,-DX",
            "--gcc-toolchain=/x",
            "-resource-dir",
            "-resource-dir=x",
            "-include-pch",
            "-ivfsoverlay",
            "-fmodules",
            "-fmodule-file=x",
            "-fmodules-cache-path=x",
            "-cc1",
            "-cc1as",
            "-ccc-gcc-name",
            "-fopenmp",
            "-x",
            "-xc++",
            "-fdebug-compilation-dir",
            "-emit-llvm",
            "-emit-ast",
            "--analyze",
            "-dump",
            "-m16",
            "-march",
            "-target",
            "--target=arm-none-eabi",
            "-ccc-install-dir",
            "--driver-mode=cl",
            "-rewrite-objc",
            "-fembed-bitcode=x",
            "-fthinlto-index=x",
            "-fcrash-diagnostics-dir=x",
            "-serialize-diagnostics",
            "b.c",
            "-",
            "--include=x",
        ] {
            assert!(vetted(text).is_err(), "{text}: {:?}", vetted(text));
        }
        assert_eq!(vetted("-DX -fplugin=a -c -Xclang -Wall b.c"), Err(words("-fplugin=a -Xclang b.c")));
    }

    #[test]
    fn no_kept_word_begins_like_a_response_file() {
        for text in ["-I @x", "-include @x", "-isystem @y", "-D @z", "-U @z", "-imacros @q"] {
            let kept = vetted(text).unwrap().kept;
            assert!(kept.iter().all(|word| !word.starts_with('@')), "{kept:?}");
        }
    }

    #[test]
    fn a_launcher_and_the_compiler_are_no_flags() {
        let command = words("/usr/bin/ccache gcc -DX -c a.c");
        let vetted = vet_command(&command, Path::new("/p/a.c"), Path::new("/p"), false).unwrap();
        assert_eq!(vetted.kept, ["-DX"]);
    }

    #[test]
    fn the_word_size_is_told() {
        assert_eq!(vetted("-m32").unwrap().word_size, Some(32));
        assert_eq!(vetted("-m32 -m64").unwrap().word_size, Some(64));
        assert_eq!(vetted("-O -O2 -Os -Og").unwrap().kept, [""; 0]);
        assert_eq!(vetted("-Ofast").unwrap().kept, ["-ffast-math"]);
        for odd in ["-m+32", "-m032", "-m16", "-ObjC", "-malign-double"] {
            assert!(vetted(odd).is_err(), "{odd}");
        }
        assert_eq!(vetted("--target=i686-pc-linux-gnu").unwrap().word_size, Some(32));
    }

    #[test]
    fn trust_passes_on_what_would_be_refused() {
        let vetted = vet(&words("-DX -fopenmp -o x"), None, Path::new("/p"), true).unwrap();
        assert_eq!(vetted.kept, ["-DX", "-fopenmp"]);
    }
}
