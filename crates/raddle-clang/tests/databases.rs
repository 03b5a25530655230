//! Compilation databases put together at random: whatever is read, no word reaches the compiler that could make it load or
//! start something, or that it would take for another kind of word. The fuzz target `compile_commands` looks further.

use std::path::Path;

use raddle_clang::database::read;
use raddle_clang::flags::vet;

const WORDS: &[&str] = &[
    "-D",
    "-DX",
    "-U",
    "-I",
    "-Iinc",
    "-isystem",
    "-iquote",
    "-include",
    "-imacros",
    "-idirafter",
    "-isysroot",
    "@x",
    "-fplugin=x",
    "-Xclang",
    "-load",
    "-mllvm",
    "-B",
    "-o",
    "-MF",
    "-x",
    "c",
    "-target",
    "-",
    "--",
    "-l",
    "-L",
    "-Xlinker",
    "-Wl,-z",
    "-Wp,-MD,x",
    "-Wp,-DX",
    "-std=c99",
    "-m32",
    "-m",
    "-fwrapv",
    "-include-pch",
    "a.c",
    "--param",
    "",
    " ",
    "'",
    "\\",
    "-I@y",
    "-include@z",
    "-I-",
    "--sysroot=@x",
    "-fno-builtin-x",
    "-march=@x",
    "-c",
    "--sysroot=",
    "-T",
    "é",
];
const FORBIDDEN: &[&str] = &[
    "@", "-fplugin", "-Xclang", "-mllvm", "-B", "-o", "-Wa,", "-Wp,", "-Wl,", "-load", "-Xlinker", "-T",
    "-x", "--param",
];
const WITH_PATH: &[&str] = &["-I", "-isystem", "-iquote", "-idirafter", "-include", "-imacros", "-isysroot"];

/// Numbers by a linear congruence: the same on every run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % bound
    }
}

#[test]
fn no_word_that_runs_something_is_passed_on() {
    let mut numbers = Numbers(1);
    let mut passed = 0;
    for _ in 0..50_000 {
        let words: Vec<&str> = (0..numbers.below(6)).map(|_| WORDS[numbers.below(WORDS.len())]).collect();
        let list: Vec<String> = ["cc"].iter().chain(&words).map(|word| format!("{word:?}")).collect();
        let text = match numbers.below(2) {
            0 => format!("[{{\"file\": \"a.c\", \"arguments\": [{}]}}]", list.join(",")),
            _ => format!("[{{\"file\": \"a.c\", \"command\": {:?}}}]", words.join(" ")),
        };
        let Ok(database) = read(&text, Path::new("/project"), false) else { continue };
        let kept = &database.entries[0].flags.kept;
        passed += kept.len();
        let mut flags = kept.iter();
        while let Some(flag) = flags.next() {
            assert!(!FORBIDDEN.iter().any(|start| flag.starts_with(start)), "{flag} of {text}");
            if WITH_PATH.contains(&flag.as_str()) {
                let path = flags.next().unwrap_or_else(|| panic!("{flag} without a path of {text}"));
                assert!(!path.starts_with(['-', '@']), "{path} of {text}");
            } else {
                assert!(flag.starts_with('-'), "{flag} of {text}");
            }
        }
        let again = vet(kept, None, Path::new("/"), false).unwrap_or_else(|e| panic!("{e:?} of {text}"));
        assert_eq!(&again.kept, kept, "{text}");
    }
    assert!(passed > 10_000, "{passed}");
}
