//! `raddle view` and `--format html`: where the page goes, what opens it, what is refused, what of the disk is in it.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::tool::{Answer, Folder, LOST_UPDATE};

/// A folder with the program, a trace and a report of it.
fn scene(name: &str) -> Folder {
    let folder = Folder::new(name);
    folder.write("lost.c", LOST_UPDATE);
    let saved = ["check", "lost.c", "-p", "assert", "--quiet", "--save-trace", "t.json", "--format", "json"];
    let answer = folder.raddle(&[&saved[..], &["--output", "r.json"]].concat());
    assert_eq!(answer.code, 1, "{}", answer.err);
    folder
}

/// `raddle view` without a display, with a cache folder of the test's own.
fn view(folder: &Folder, arguments: &[&str]) -> Answer {
    let mut command = folder.command(&[&["view"], arguments].concat());
    command.env("XDG_CACHE_HOME", folder.path("cache")).env_remove("DISPLAY").env_remove("WAYLAND_DISPLAY");
    folder.within(Duration::from_secs(60), &mut command).0
}

fn read(path: impl AsRef<Path>) -> String {
    std::fs::read_to_string(path).unwrap()
}

#[test]
fn a_page_of_a_trace_and_of_a_report() {
    let folder = scene("view");
    for input in ["t.json", "r.json"] {
        let answer = view(&folder, &[input, "--output", "page.html"]);
        assert_eq!((answer.code, answer.err.as_str()), (0, ""));
        assert_eq!(answer.out.trim_end(), folder.path("page.html").display().to_string());
        let page = read(folder.path("page.html"));
        assert!(page.starts_with("<!DOCTYPE html>") && page.trim_end().ends_with("</html>"));
        assert!(page.contains("lost.c") && page.contains("assertion `x == 2` failed"));
        assert!(page.contains(&format!("raddle replay {input}")));
        // The whole program is there: it is the one that the trace was made from.
        assert!(page.contains("#include \\u003cpthread.h\\u003e") && page.contains("\"whole\":true"));
    }
}

#[test]
fn the_cache_keeps_one_page_a_content() {
    let folder = scene("view-cache");
    let first = view(&folder, &["t.json"]);
    assert_eq!((first.code, view(&folder, &["t.json"]).out), (0, first.out.clone()));
    let path = PathBuf::from(first.out.trim_end());
    assert!(path.starts_with(folder.path("cache/raddle/views")) && read(&path).contains("lost.c"));
    let mode = path.parent().unwrap().metadata().unwrap().permissions().mode();
    assert_eq!(mode & 0o077, 0, "private");
    // Old ones go, and only pages.
    let views = path.parent().unwrap().to_path_buf();
    std::fs::write(views.join("notes.txt"), "mine").unwrap();
    for number in 0..60 {
        let old = std::fs::File::create(views.join(format!("old-{number}.html"))).unwrap();
        old.set_modified(std::time::SystemTime::UNIX_EPOCH + Duration::from_secs(number)).unwrap();
    }
    assert_eq!(view(&folder, &["r.json"]).code, 0);
    let names = crate::tool::names(&views);
    assert!(names.len() <= 51 && names.contains(&"notes.txt".to_string()), "{names:?}");
    assert!(path.exists() && !names.contains(&"old-0.html".to_string()));
    // A folder that others can write to is no place for it.
    std::fs::set_permissions(&views, std::fs::Permissions::from_mode(0o777)).unwrap();
    let refused = view(&folder, &["t.json"]);
    assert_eq!(refused.code, 74);
    assert!(refused.err.contains("--output"), "{}", refused.err);
}

#[test]
fn what_is_no_trace_is_refused() {
    let folder = scene("view-bad");
    let good = read(folder.path("t.json"));
    let report = read(folder.path("r.json"));
    folder.write("empty", "");
    folder.write("blank", " \n");
    folder.write("cut", &good[..good.len() / 2]);
    folder.write("cut-report", &report[..report.len() - 4]);
    folder.write("version", good.replace("\"format-version\": 2", "\"format-version\": 99"));
    folder.write("version-of-report", report.replacen("\"format-version\": 2", "\"format-version\": 99", 1));
    folder.write("other", "{\"format\": \"other\", \"format-version\": 1}");
    folder.write("bare", "[]");
    folder.write("bytes", [0xff, 0xfe, 0x00]);
    folder.write("deep", "[".repeat(100_000));
    folder.write("contradiction", good.replacen("\"thread\": 0", "\"thread\": 77", 1));
    std::fs::create_dir(folder.path("folder")).unwrap();
    let before = folder.files();
    for (name, word) in [
        ("empty", "empty"),
        ("blank", "empty"),
        ("cut", "cut off"),
        ("cut-report", "cut off"),
        ("version", "version 99"),
        ("version-of-report", "version 99"),
        ("other", "other"),
        ("bare", "damaged"),
        ("bytes", "UTF-8"),
        ("deep", "damaged"),
        ("contradiction", "contradicts itself"),
        ("lost.c", "not JSON"),
        ("folder", "not a regular file"),
        ("missing.json", "No such file"),
        ("/dev/null", "not a regular file"),
    ] {
        let answer = view(&folder, &[name, "--output", "page.html"]);
        assert_eq!(answer.code, 65, "{name}: {}", answer.err);
        assert!(answer.err.contains(word), "{name}: {}", answer.err);
        assert!(!answer.err.contains("panicked") && answer.out.is_empty(), "{name}: {}", answer.err);
    }
    assert_eq!(folder.files(), before, "nothing is left behind");
}

#[test]
fn places_that_cannot_be_written() {
    let folder = scene("view-out");
    std::fs::create_dir(folder.path("folder")).unwrap();
    folder.write("kept.html", "before");
    std::os::unix::fs::symlink(folder.path("kept.html"), folder.path("link.html")).unwrap();
    let before = folder.files();
    for output in ["folder", "nowhere/page.html", "link.html", "t.json", "."] {
        let answer = view(&folder, &["t.json", "--output", output]);
        assert_eq!(answer.code, 64, "{output}: {}", answer.err);
    }
    // Full when it is written to, not before.
    assert_eq!(view(&folder, &["t.json", "--output", "/dev/full"]).code, 74);
    assert_eq!(view(&folder, &[]).code, 64);
    assert_eq!((folder.files(), read(folder.path("kept.html"))), (before, "before".to_string()));
    // The old page stays until the new one is whole.
    assert_eq!(view(&folder, &["cut", "--output", "kept.html"]).code, 65);
    assert_eq!(read(folder.path("kept.html")), "before");
}

/// A trace can name any file; a page that is passed on must not have it in it.
#[test]
fn only_files_that_the_trace_knows_are_in_the_page() {
    let folder = scene("view-files");
    let secret = folder.write("secret.c", "int the_secret_word;\n");
    let page = |trace: &str| {
        folder.write("edited.json", trace);
        let answer = view(&folder, &["edited.json", "--output", "page.html"]);
        assert_eq!(answer.code, 0, "{}", answer.err);
        read(folder.path("page.html"))
    };
    let good = read(folder.path("t.json"));
    let other = good.replace("\"lost.c\"", &format!("\"{}\"", secret.display()));
    assert!(other != good && !page(&other).contains("the_secret_word"));
    // The program was changed since: the lines are those of the trace.
    folder.write("lost.c", LOST_UPDATE.replace("int x;", "int x; /* later */"));
    let later = page(&good);
    assert!(
        !later.contains("/* later */")
            && later.contains("\"whole\":false")
            && later.contains("assert(x == 2);")
    );
}

#[test]
fn a_browser_is_opened_where_there_is_a_display() {
    let folder = scene("view-open");
    let opener =
        folder.write("bin/xdg-open", format!("#!/bin/sh\necho \"$1\" > {}/opened\n", folder.0.display()));
    std::fs::set_permissions(&opener, std::fs::Permissions::from_mode(0o755)).unwrap();
    let run = |display: Option<&str>, arguments: &[&str]| {
        let mut command = folder.command(&[&["view", "t.json", "--output", "page.html"], arguments].concat());
        let path = std::env::var("PATH").unwrap_or_default();
        command.env("PATH", format!("{}:{path}", folder.path("bin").display()));
        command.env_remove("DISPLAY").env_remove("WAYLAND_DISPLAY");
        command.envs(display.map(|display| ("DISPLAY", display)));
        let answer = folder.within(Duration::from_secs(60), &mut command).0;
        assert_eq!(answer.code, 0, "{}", answer.err);
        let began = Instant::now();
        let opened = folder.path("opened");
        // It is a process of its own.
        while display == Some(":7") && !arguments.contains(&"--no-open") && !opened.exists() {
            assert!(began.elapsed() < Duration::from_secs(20), "not opened");
            std::thread::sleep(Duration::from_millis(10));
        }
        opened.exists()
    };
    assert!(!run(None, &[]) && !run(Some(""), &[]) && !run(Some(":7"), &["--no-open"]));
    assert!(run(Some(":7"), &[]));
}

#[test]
fn a_report_as_a_page() {
    let folder = Folder::new("view-report");
    folder.write("lost.c", LOST_UPDATE);
    let check = ["check", "lost.c", "--format", "html", "--stats", "--save-trace", "kept.json"];
    let printed = folder.raddle(&check);
    assert_eq!(printed.code, 1, "{}", printed.err);
    assert!(printed.out.starts_with("<!DOCTYPE html>") && printed.out.contains("\"whole\":true"));
    for word in
        ["assert", "race", "deadlock", "memsafety", "overflow", "locks", "data model LP64", "executions"]
    {
        assert!(printed.out.contains(word), "{word}");
    }
    assert!(printed.out.contains("raddle replay kept.json"));
    let written = folder.raddle(&["check", "lost.c", "--format", "html", "--output", "page.html"]);
    assert_eq!((written.code, written.out.trim_end()), (1, "result: violated"));
    assert!(read(folder.path("page.html")).contains("assertion `x == 2` failed"));
    // A proof is a page too.
    folder.write("fine.c", "int main(void) { return 0; }\n");
    let proved = folder.raddle(&["check", "fine.c", "--format", "html"]);
    assert_eq!(proved.code, 0, "{}", proved.err);
    assert!(
        proved.out.contains("result: <strong>proved</strong>") && !proved.out.contains("trace-data\" data")
    );
    assert!(proved.out.contains("<strong>warning:</strong>"), "a program without threads");
}

/// One variable under three names, a second one under one of them, a part of a word, and a write that is not shown.
const NAMES: &str = "\
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
int x, y, level;
union { int word; char byte[4]; } both;
sem_t s;
static void add(int *p) { *p += 1; }
void *w(void *p) { add(&x); add(&y); both.byte[1] = 1; both.word += (int)(long)p; return p; }
int main(void) {
    pthread_t t, u;
    sem_init(&s, 0, 3);
    level = 7;
    sem_getvalue(&s, &level);
    both.word = 5;
    pthread_create(&t, 0, w, (void *)1L);
    pthread_create(&u, 0, w, (void *)2L);
    pthread_join(t, 0);
    pthread_join(u, 0);
    assert(x + y == 4 && both.word == 8 && level == 7);
}
";

/// Reads-from, recorded byte by byte, against its definition on the events: the writer of a read is the last step before it
/// that writes one of its bytes, and the values agree where it writes exactly them.
#[test]
fn reads_from_is_the_last_write() {
    use raddle_trace::{Event, read_report};
    let folder = Folder::new("view-reads-from");
    folder.write("names.c", NAMES);
    folder.write("lost.c", LOST_UPDATE);
    let mut followed = 0;
    let mut unfollowed = 0;
    for (file, engine) in
        [("names.c", "random"), ("names.c", "pct"), ("names.c", "explicit"), ("lost.c", "random")]
    {
        let answer = folder.raddle(
            &["check", file, "--engine", engine, "--format", "json", "--schedules", "50"]
                .iter()
                .filter(|word| engine != "explicit" || !["--schedules", "50"].contains(word))
                .copied()
                .collect::<Vec<_>>(),
        );
        let report = read_report(&answer.out).unwrap_or_else(|error| panic!("{error}: {}", answer.err));
        assert!(!report.traces.is_empty(), "{file}, {engine}: {}", answer.err);
        for trace in &report.traces {
            let mut writes = Vec::new();
            for step in &trace.steps {
                for event in &step.events {
                    let (at, from, read, written) = match event {
                        Event::Read { location: Some(at), from, value, .. } => {
                            (*at, *from, Some(value), None)
                        }
                        Event::Write { location: Some(at), from, old, new, .. } => {
                            (*at, *from, from.and(old.as_ref()), Some(new))
                        }
                        _ => continue,
                    };
                    let last = writes.iter().rev().find(|(_, to, _)| at.overlaps(*to));
                    if let Some(writer) = from {
                        let (index, to, value): &(u64, raddle_trace::Location, String) =
                            last.expect("a write");
                        assert_eq!(writer, *index, "step {}", step.index);
                        assert!(*to != at || read.is_none_or(|read| read == value), "step {}", step.index);
                        followed += 1;
                    } else if read.is_some() {
                        unfollowed += usize::from(last.is_some());
                    }
                    if let Some(new) = written {
                        writes.push((step.index, at, new.clone()));
                    }
                }
            }
        }
    }
    // Words that two steps wrote in parts, and what the semaphore's model wrote, have no writer.
    assert!(followed > 20 && unfollowed > 0, "{followed} followed, {unfollowed} not");
}
