//! Damaged and edited traces: each is refused, or executed and honestly said not to reproduce; `reproduced` only where the
//! changed script still leads to the same fault at the same place.

use std::path::{Path, PathBuf};
use std::process::Command;

use raddle_trace::{ReplayScript, ScheduleStep, Trace, read_json, write_json};

/// An update is lost, by an amount that is an input.
const PROGRAM: &str = "\
#include <assert.h>
#include <pthread.h>
int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(int);
int x, n;
void *w(void *p) { int y = x; x = y + n; return p; }
int main(void) {
    pthread_t t;
    n = __VERIFIER_nondet_int();
    __VERIFIER_assume(n == 1 || n == 2);
    pthread_create(&t, 0, w, 0);
    w(0);
    pthread_join(t, 0);
    assert(x == 2 * n);
}
";

/// A folder with the program and a good trace of it.
struct Scene {
    folder: PathBuf,
    text: String,
    trace: Trace,
}

impl Drop for Scene {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

impl Scene {
    fn new(name: &str) -> Scene {
        let id = std::process::id();
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("traces-{name}-{id}"));
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join("lost.c"), PROGRAM).unwrap();
        let output = raddle(&folder)
            .args(["check", "lost.c", "-p", "assert", "--engine", "random", "--schedules", "2000"])
            .args(["--quiet", "--save-trace", "good.json"])
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(1), "{}", String::from_utf8_lossy(&output.stderr));
        let text = std::fs::read_to_string(folder.join("good.json")).unwrap();
        let trace = read_json(&text).unwrap();
        let scene = Scene { folder, text, trace };
        assert_eq!(scene.replay(scene.text.as_bytes()).0, 1, "the good trace replays");
        scene
    }

    /// Exit code and everything that was said.
    fn replay(&self, content: &[u8]) -> (i32, String) {
        std::fs::write(self.folder.join("bad.json"), content).unwrap();
        let output = raddle(&self.folder).args(["replay", "bad.json"]).output().unwrap();
        let said = [output.stdout, output.stderr].concat();
        (output.status.code().expect("no signal"), String::from_utf8_lossy(&said).into_owned())
    }

    /// Replays the trace after a change.
    fn changed(&self, change: impl FnOnce(&mut Trace)) -> (i32, String) {
        let mut trace = self.trace.clone();
        change(&mut trace);
        self.replay(write_json(&trace).as_bytes())
    }

    /// Replays the trace with other moves.
    fn moved(&self, change: impl FnOnce(&mut Vec<ScheduleStep>)) -> (i32, String) {
        self.changed(|trace| change(steps(trace)))
    }
}

fn raddle(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_raddle"));
    command.current_dir(folder);
    command
}

fn steps(trace: &mut Trace) -> &mut Vec<ScheduleStep> {
    match &mut trace.script {
        ReplayScript::Machine { steps, .. } => steps,
        other => panic!("{other:?}"),
    }
}

#[track_caller]
fn refused(answer: (i32, String), word: &str) {
    assert_eq!(answer.0, 65, "{}", answer.1);
    assert!(answer.1.contains(word), "`{word}` is missing in:\n{}", answer.1);
}

#[track_caller]
fn not_reproduced(answer: (i32, String), word: &str) {
    assert_eq!(answer.0, 3, "{}", answer.1);
    assert!(answer.1.contains("not reproduced"), "{}", answer.1);
    assert!(answer.1.contains(word), "`{word}` is missing in:\n{}", answer.1);
}

#[test]
fn the_text() {
    let scene = Scene::new("text");
    let text = scene.text.as_bytes();
    for cut in [1, 10, text.len() / 4, text.len() / 2, text.len() - 3] {
        refused(scene.replay(&text[..cut]), "cut off");
    }
    refused(scene.replay(b""), "empty");
    refused(scene.replay(&[text, b"}"].concat()), "not JSON");
    refused(scene.replay(scene.text.replace("raddle-trace", "other-trace").as_bytes()), "other-trace");
    refused(
        scene.replay(scene.text.replace("\"format-version\": 2", "\"format-version\": 3").as_bytes()),
        "version",
    );
}

#[test]
fn the_schedule() {
    let scene = Scene::new("schedule");
    let count = steps(&mut scene.trace.clone()).len();
    let at_choice = steps(&mut scene.trace.clone()).iter().position(|s| !s.choices.is_empty()).unwrap();
    refused(scene.moved(|s| s[0].thread = 7), "thread 7");
    refused(scene.moved(|s| s[count - 1].thread = u32::MAX), "4294967295");
    // Without its last step the run has not yet come to its fault, with none it has not begun.
    not_reproduced(scene.moved(|s| s.truncate(count - 1)), "does not end in this fault");
    not_reproduced(scene.moved(Vec::clear), "without a fault");
    // Another input: one that is assumed away, one that loses another amount and still fails, one that is none.
    refused(scene.moved(|s| s[at_choice].choices = vec![77]), "replay diverges");
    assert_eq!(scene.moved(|s| s[at_choice].choices[0] ^= 3).0, 1, "1 and 2 both lose an update");
    refused(scene.moved(|s| s[at_choice].choices = vec![1 << 40]), "not an answer");
    refused(scene.moved(|s| s[at_choice].choices.clear()), "waits for a choice");
    refused(scene.moved(|s| s[at_choice].choices.push(1)), "damaged");
    refused(scene.moved(|s| s[at_choice + 1].choices.push(1)), "waits for no choice");
    refused(scene.moved(|s| s[0].escape = true), "damaged");
    // One thread after the other loses nothing.
    let answer = scene.moved(|s| s[at_choice + 1..].sort_by_key(|step| step.thread == 0));
    assert!(answer.0 == 3 || answer.0 == 65, "{}", answer.1);
    // Each step once removed or doubled: what is still executed to the same fault may say so, nothing else.
    for at in 0..count {
        for double in [false, true] {
            let answer = scene.moved(|s| {
                if double {
                    s.insert(at, s[at].clone());
                } else {
                    s.remove(at);
                }
            });
            honest(&scene, &answer, &format!("step {at}, doubled: {double}"));
        }
    }
}

#[test]
fn everything_else() {
    let scene = Scene::new("rest");
    let set = |name: &str, value: &str| {
        scene.changed(|trace| match &mut trace.script {
            ReplayScript::Machine { settings, .. } => drop(settings.insert(name.into(), value.into())),
            _ => unreachable!(),
        })
    };
    refused(set("unknown-setting", "1"), "unknown-setting");
    refused(set("overflow", "perhaps"), "overflow");
    refused(set("local-limit", "-1"), "local-limit");
    honest(&scene, &set("havoc-0", "main"), "havoc");
    refused(set("model-0", "/nowhere/model.c"), "/nowhere/model.c");
    honest(&scene, &set("local-limit", "0"), "local-limit");
    honest(&scene, &set("fuse-alone", "false"), "fuse-alone");
    refused(scene.changed(|t| t.program.data_model = "LP128".into()), "LP128");
    refused(scene.changed(|t| t.program.optimize = "9".into()), "`9`");
    refused(scene.changed(|t| t.program.standard = Some("c1789".into())), "c1789");
    refused(scene.changed(|t| t.program.inputs[0].path = "other.c".into()), "other.c");
    refused(scene.changed(|t| t.program.inputs.clear()), "");
    // A fault that is worded differently is the same fault; one at another place or of another code is not.
    let (code, said) = scene.changed(|t| t.fault.message.push('!'));
    assert!(code == 1 && said.contains("reproduced") && !said.contains("another fault"), "{said}");
    not_reproduced(scene.changed(|t| t.fault.code = "leak".into()), "another fault");
    not_reproduced(scene.changed(|t| t.fault.place.as_mut().unwrap().line += 1), "another fault");
    not_reproduced(
        scene.changed(|t| t.property = raddle_trace::Property::Deadlock),
        "does not end in this fault",
    );
    // The program changed: so that the schedule no longer fits, so that there is no fault, not in its code.
    let with = |program: &str| {
        std::fs::write(scene.folder.join("lost.c"), program).unwrap();
        let answer = scene.replay(scene.text.as_bytes());
        std::fs::write(scene.folder.join("lost.c"), PROGRAM).unwrap();
        answer
    };
    refused(with("int main(void) { return 0; }\n"), "the program changed");
    not_reproduced(with(&PROGRAM.replace("x == 2 * n", "x == n")), "differ from those recorded in the trace");
    let (code, said) = with(&format!("{PROGRAM}// a remark\n"));
    assert_eq!(code, 1, "{said}");
    assert!(said.contains("differ from those recorded in the trace"), "{said}");
}

/// Refused, or executed to another end; or the same fault, which then is the one that the changed trace tells of.
#[track_caller]
fn honest(scene: &Scene, (code, said): &(i32, String), what: &str) {
    assert!(!said.contains("panicked") && !said.contains("internal error"), "{what}: {said}");
    match code {
        65 => {}
        3 => assert!(said.contains("not reproduced"), "{what}: {said}"),
        1 => {
            let changed = std::fs::read_to_string(scene.folder.join("bad.json")).unwrap();
            let changed = read_json(&changed).unwrap();
            assert_eq!(changed.property, scene.trace.property, "{what}");
            // The message is that of the new run; one that was changed is named as another.
            let (here, there) = (&scene.trace.fault.message, &changed.fault.message);
            let reproduced = match here == there {
                true => format!("reproduced: {here}"),
                false => format!("reproduced: {here} (in the trace: "),
            };
            assert!(said.contains(&reproduced), "{what}: {said}");
            assert_eq!(changed.fault.place, scene.trace.fault.place, "{what}");
            // The view is made from the new run: the assertion saw what one thread alone adds.
            let input = said.lines().find_map(|line| line.split("n: 0 → ").nth(1)).unwrap_or("");
            let input = input.split_whitespace().next().unwrap_or("");
            assert!(input == "1" || input == "2", "{what}: {said}");
            let last = said.lines().rfind(|l| l.contains("reads x = ")).unwrap_or("");
            assert!(last.contains(&format!("reads x = {input}")), "{what}: {said}");
        }
        other => panic!("{what}: exit code {other}: {said}"),
    }
}

/// Thirty seeded ways to damage a trace, from a flipped bit to swapped steps.
#[test]
fn thirty_ways() {
    let scene = Scene::new("thirty");
    let mut random = 2463534242u64;
    let mut below = |bound: usize| {
        random = random.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((random >> 33) % bound as u64) as usize
    };
    let mut codes = std::collections::BTreeMap::new();
    for way in 0..30 {
        let mut bytes = scene.text.clone().into_bytes();
        let at = below(bytes.len());
        let mut trace = scene.trace.clone();
        let script = steps(&mut trace);
        let (a, b) = (below(script.len()), below(script.len()));
        let content = match way % 6 {
            0 => {
                bytes[at] ^= 1 << below(8);
                bytes
            }
            1 => {
                let digits: Vec<usize> = (0..bytes.len()).filter(|i| bytes[*i].is_ascii_digit()).collect();
                bytes[digits[below(digits.len())]] = b'0' + below(10) as u8;
                bytes
            }
            2 => {
                let mut lines: Vec<&str> = scene.text.lines().collect();
                lines.remove(below(lines.len()));
                lines.join("\n").into_bytes()
            }
            3 => {
                script.swap(a, b);
                write_json(&trace).into_bytes()
            }
            4 => {
                script[a].thread ^= 1;
                write_json(&trace).into_bytes()
            }
            _ => {
                script.drain(a.min(b)..=a.max(b));
                write_json(&trace).into_bytes()
            }
        };
        let answer = scene.replay(&content);
        honest(&scene, &answer, &format!("way {way}"));
        *codes.entry(answer.0).or_insert(0) += 1;
    }
    // Most damage is noticed: refused, or another execution. Which of the two varies with the text, since places are drawn in it.
    let [refused, other] = [65, 3].map(|code| codes.get(&code).copied().unwrap_or(0));
    assert!(refused >= 3 && other >= 3 && refused + other >= 18, "{codes:?}");
}
