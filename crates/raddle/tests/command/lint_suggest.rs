//! `raddle lint --suggest` on the programs of `tests/suggest`: the patch applies, the annotated programs are proved by types and keep
//! all annotations, and clang's own thread-safety analysis accepts them.

use std::path::Path;
use std::process::Command;

use crate::tool::Folder;

/// What must be suggested, by program.
const EXPECTED: &[(&str, &[&str])] = &[
    (
        "account.c",
        &["int balance RADDLE_MEMBER_GUARDED_BY(lock);", "int deposits RADDLE_MEMBER_GUARDED_BY(lock);"],
    ),
    ("counter.c", &["static int count RADDLE_GUARDED_BY(lock);", "static long sum RADDLE_GUARDED_BY(lock);"]),
    ("list.c", &["static struct node *head RADDLE_GUARDED_BY(lock);", "RADDLE_REQUIRES(lock)"]),
    ("queue.c", &["static int items[SIZE] RADDLE_GUARDED_BY(lock);", "RADDLE_REQUIRES(lock)"]),
    ("settings.c", &["static int level RADDLE_GUARDED_BY(lock);"]),
    (
        "shared_block.c",
        &["int hits RADDLE_MEMBER_GUARDED_BY(mutex);", "int misses RADDLE_MEMBER_GUARDED_BY(mutex);"],
    ),
    ("spin.c", &["static int greatest RADDLE_GUARDED_BY(spin);", "RADDLE_REQUIRES(spin)"]),
    ("text_log.c", &["static char text[64] RADDLE_GUARDED_BY(guard);", "RADDLE_REQUIRES(guard)"]),
    ("tried.c", &["static int done RADDLE_GUARDED_BY(lock);"]),
    (
        "two_locks.c",
        &["int value RADDLE_MEMBER_GUARDED_BY(lock);", "static int total RADDLE_GUARDED_BY(total_lock);"],
    ),
];

#[test]
fn annotated_programs() {
    let programs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/suggest");
    let header = Path::new(env!("CARGO_MANIFEST_DIR")).join("../raddle-clang/models/include");
    let clang = std::env::var("RADDLE_CLANG").unwrap_or_else(|_| "clang".into());
    let folder = Folder::new("lint-suggest-ten");
    assert_eq!(std::fs::read_dir(&programs).unwrap().count(), EXPECTED.len());
    for (name, expected) in EXPECTED {
        let original = std::fs::read_to_string(programs.join(name)).unwrap();
        folder.write(name, &original);
        let suggested = folder.raddle(&["lint", "--suggest", name]);
        suggested.says(0, &["+#include <raddle.h>"]);
        folder.write("suggested.patch", &suggested.out);
        let patch = Command::new("patch")
            .args(["-p1", "--fuzz=0", "-i", "suggested.patch"])
            .current_dir(&folder.0)
            .output()
            .expect("`patch` is installed");
        assert!(patch.status.success(), "{name}: {}", String::from_utf8_lossy(&patch.stdout));
        let text = std::fs::read_to_string(folder.path(name)).unwrap();
        for wanted in *expected {
            let found = text.lines().any(|line| line.trim() == *wanted);
            assert!(found, "{name}: `{wanted}` is missing:\n{text}");
        }
        folder
            .raddle(&["check", "--engine", "types", "--property", "race", name])
            .says(0, &["race        proved", "result: proved"]);
        folder.raddle(&["lint", name]).says(0, &["lint: 0 errors, 0 warnings"]);
        let output = Command::new(&clang)
            .args(["-fsyntax-only", "-Wall", "-Werror=thread-safety", "-Wno-thread-safety-attributes"])
            .args(["-Werror=ignored-attributes", "-DRADDLE_CLANG_ATTRIBUTES", "-I"])
            .args([&header, &folder.path(name)])
            .output()
            .expect("clang is installed");
        assert!(output.status.success(), "{name}: {}\n{text}", String::from_utf8_lossy(&output.stderr));
        // The annotations are seen: without its first lock call the program is refused.
        let unlocked = text.lines().filter(|line| !line.contains("_lock(&") && !line.contains("_wrlock(&"));
        folder.write("unlocked.c", unlocked.collect::<Vec<_>>().join("\n"));
        let guards_variables = text.lines().any(|line| line.contains(" RADDLE_GUARDED_BY("));
        let refused = Command::new(&clang)
            .args(["-fsyntax-only", "-Werror=thread-safety", "-Wno-thread-safety-attributes"])
            .args(["-DRADDLE_CLANG_ATTRIBUTES", "-I"])
            .args([&header, &folder.path("unlocked.c")])
            .output()
            .expect("clang is installed");
        assert!(!guards_variables || !refused.status.success(), "{name}: clang sees no annotation");
    }
}
