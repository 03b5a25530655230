//! Any text as a compilation database: it is refused or read, and whatever is read, no word reaches the compiler that could
//! make it load or start something, or that it would take for another kind of word.

#![no_main]

mod tokens;

use std::path::Path;

use libfuzzer_sys::{fuzz_mutator, fuzz_target};
use raddle_clang::database::read;
use raddle_clang::flags::vet;

/// Beginnings of words that must never be among those that are passed on.
const FORBIDDEN: &[&str] = &[
    "@", "-fplugin", "-fpass-plugin", "-Xclang", "-mllvm", "-B", "-specs", "--specs", "--config", "-cc1", "-o", "-Wa,",
    "-Wp,", "-Wl,", "-Xpreprocessor", "-Xassembler", "-Xlinker", "-load", "-wrapper", "-resource-dir", "--gcc-toolchain",
];

fuzz_target!(|text: &str| {
    let Ok(database) = read(text, Path::new("/project"), false) else { return };
    for entry in database.entries {
        let mut words = entry.flags.kept.iter();
        while let Some(word) = words.next() {
            assert!(!FORBIDDEN.iter().any(|start| word.starts_with(start)), "{word}");
            // A flag with a path in the next word.
            if matches!(word.as_str(), "-I" | "-isystem" | "-iquote" | "-idirafter" | "-include" | "-imacros" | "-isysroot") {
                let path = words.next().expect("a path");
                assert!(!path.starts_with(['-', '@']), "{path}");
            } else {
                assert!(word.starts_with('-'), "{word}");
            }
        }
        // What was passed on once is passed on again: a trace carries it.
        let again = vet(&entry.flags.kept, None, Path::new("/"), false).expect("passed on before");
        assert_eq!(again.kept, entry.flags.kept);
    }
});

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    tokens::mutate(data, size, max_size, seed)
});
