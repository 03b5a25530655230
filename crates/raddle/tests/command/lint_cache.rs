//! What `raddle lint` keeps between runs: hits, changes of sources, headers and flags, damage, `--no-cache`.

use std::path::PathBuf;

use serde_json::Value;

use crate::tool::{Answer, Folder};

const HEADER: &str = "#define LOCK(m) pthread_mutex_lock(m)\n#define UNLOCK(m) pthread_mutex_unlock(m)\n";
const PROGRAM: &str = "\
#include <pthread.h>
#include \"locks.h\"
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int count;
static void *work(void *p) {
#ifndef SILENT
    LOCK(&m);
    count++;
    UNLOCK(&m);
#endif
    return p;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, work, 0);
    pthread_create(&b, 0, work, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
";

struct Project(Folder);

impl Project {
    fn new(name: &str) -> Project {
        let folder = Folder::new(name);
        folder.write("src/locks.h", HEADER);
        folder.write("src/a.c", PROGRAM);
        std::fs::create_dir(folder.path("cache")).unwrap();
        Project(folder)
    }

    fn answer(&self, arguments: &[&str]) -> Answer {
        let mut command = self.0.command(&[&["lint", "src"], arguments].concat());
        Answer::of(command.env("XDG_CACHE_HOME", self.0.path("cache")).output().unwrap())
    }

    /// Findings as text, how many programs there are, and how many of them came from the cache.
    fn lint(&self, arguments: &[&str]) -> (String, u64, u64) {
        let answer = self.answer(&[&["--format", "json", "--stats"], arguments].concat());
        let report: Value =
            serde_json::from_str(&answer.out).unwrap_or_else(|e| panic!("{e}: {}", answer.err));
        let stats = |name: &str| report["stats"][name].as_u64().unwrap();
        (report["findings"].to_string(), stats("programs"), stats("programs-from-cache"))
    }

    /// The files that are kept.
    fn kept(&self) -> Vec<PathBuf> {
        let folder = self.0.path("cache/raddle/kept-1");
        let entries =
            std::fs::read_dir(folder).map(|entries| entries.flatten().collect()).unwrap_or(Vec::new());
        entries.into_iter().map(|entry| entry.path()).collect()
    }
}

#[test]
fn hits_and_changes() {
    let project = Project::new("lint-cache");
    let (clean, programs, known) = project.lint(&[]);
    assert_eq!((clean.as_str(), programs, known), ("[]", 1, 0));
    assert_eq!(project.lint(&[]), (clean.clone(), 1, 1));
    // Flags of the command line and other rules are other questions.
    assert_eq!(project.lint(&["-DSILENT"]).2, 0);
    assert_eq!(project.lint(&["--no-rule", "stale-value"]).2, 0);
    assert_eq!(project.lint(&[]).2, 1);
    // A header makes all locks nothing: the source itself is the same.
    project.0.write("src/locks.h", "#define LOCK(m)\n#define UNLOCK(m)\n");
    let (raced, _, known) = project.lint(&[]);
    assert!(known == 0 && raced.contains("race-majority-guard"), "{raced}");
    assert_eq!(project.lint(&[]), (raced.clone(), 1, 1));
    // Back again: both are kept.
    project.0.write("src/locks.h", HEADER);
    assert_eq!(project.lint(&[]), (clean, 1, 1));
    // A suppression counts as it is now; where the line is a comment of a header, too.
    project.0.write("src/locks.h", "#define LOCK(m)\n#define UNLOCK(m)\n");
    let text =
        PROGRAM.replace("count++;", "count++; // raddle: allow(race-majority-guard) because of a test");
    project.0.write("src/a.c", text);
    project.answer(&[]).says(0, &["1 suppressed"]);
    project.answer(&[]).says(0, &["1 suppressed"]);
    // Executions and patches are never from the cache.
    project.0.write("src/a.c", PROGRAM);
    let (_, _, known) = project.lint(&["--confirm=20"]);
    assert_eq!(known, 0);
}

/// One changed program of two: the other is known, and each is a program of its own.
#[test]
fn one_of_several_programs() {
    let project = Project::new("lint-cache-several");
    project.0.write("src/b.c", PROGRAM.replace("    LOCK(&m);\n", "").replace("    UNLOCK(&m);\n", ""));
    let (first, programs, known) = project.lint(&[]);
    assert_eq!((programs, known), (2, 0));
    assert!(first.contains("b.c"), "{first}");
    assert_eq!(project.lint(&[]), (first.clone(), 2, 2));
    project.0.write("src/a.c", format!("{PROGRAM}int more;\n"));
    assert_eq!(project.lint(&[]), (first, 2, 1));
}

/// Whatever is done to the kept files, the answer is the same.
#[test]
fn damage() {
    let project = Project::new("lint-cache-damage");
    project.0.write("src/locks.h", "#define LOCK(m)\n#define UNLOCK(m)\n");
    let (raced, ..) = project.lint(&[]);
    let kept = project.kept();
    assert!(kept.len() >= 2, "{kept:?}");
    for path in &kept {
        let whole = std::fs::read(path).unwrap();
        let mut flipped = whole.clone();
        flipped[whole.len() / 3] ^= 4;
        for damaged in [&flipped[..], &whole[..whole.len() / 2], b"", b"{}\n"] {
            std::fs::write(path, damaged).unwrap();
            assert_eq!(project.lint(&[]).0, raced, "{}", path.display());
        }
    }
    // The findings of one program under the name of those of another.
    project.0.write("src/locks.h", HEADER);
    let (clean, ..) = project.lint(&[]);
    let of_findings = |path: &&PathBuf| path.extension().is_some_and(|e| e == "lint");
    let new = project.kept().into_iter().find(|path| of_findings(&path) && !kept.contains(path)).unwrap();
    let old = kept.iter().find(of_findings).unwrap();
    std::fs::copy(old, &new).unwrap();
    let answer = project.lint(&[]);
    assert_eq!((answer.0, answer.2), (clean, 0));
}

#[test]
fn switched_off() {
    let project = Project::new("lint-cache-off");
    assert_eq!(project.lint(&["--no-cache"]).2, 0);
    assert_eq!(project.kept(), Vec::<PathBuf>::new());
    project.lint(&[]);
    assert_eq!(project.lint(&["--no-cache"]).2, 0);
    // A folder that others can write to is not used.
    use std::os::unix::fs::PermissionsExt;
    let folder = project.0.path("cache/raddle/kept-1");
    std::fs::set_permissions(&folder, std::fs::Permissions::from_mode(0o777)).unwrap();
    assert_eq!(project.lint(&[]).2, 0);
}
