//! What an encoding by `order` costs: generated programs with about 5,000 events, 200 of them at each location. Where the time
//! goes (execution, encoding, solving), peak memory, and bytes an event.

use std::path::Path;
use std::process::Command;

use serde_json::Value;

use super::checker::Checker;

const LOCATIONS: u32 = 25;
const ACCESSES: u32 = 200;

/// Threads that read each location and store to it, in rounds: a constant, or what was read plus one.
fn program(threads: u32, constants: bool) -> String {
    let rounds = ACCESSES / threads / 2;
    let access = match constants {
        true => "sum += x[i];\n            x[i] = (int)me + 1;",
        false => "x[i] = x[i] + 1;",
    };
    format!(
        "#include <assert.h>
#include <pthread.h>
#include <stddef.h>
static int x[{LOCATIONS}], seen[{threads}];
static void *run(void *argument) {{
    long me = (long)argument;
    int sum = 0;
    for (int round = 0; round < {rounds}; round++)
        for (int i = 0; i < {LOCATIONS}; i++) {{
            {access}
        }}
    seen[me] = sum;
    return NULL;
}}
int main(void) {{
    pthread_t t[{threads}];
    for (long i = 0; i < {threads}; i++) pthread_create(&t[i], NULL, run, (void *)i);
    assert(x[0] >= 0);
    return 0;
}}
"
    )
}

/// `--raddle PROGRAM`, `--timeout SECONDS`.
pub fn run(root: &Path, words: &[&str]) -> Result<(), String> {
    let (mut raddle, mut timeout) = (None, "60");
    let mut words = words.iter();
    while let Some(word) = words.next() {
        match *word {
            "--raddle" => raddle = Some(*words.next().ok_or("--raddle needs a program")?),
            "--timeout" => timeout = words.next().ok_or("--timeout needs seconds")?,
            other => return Err(format!("`{other}` is not known; known are --raddle, --timeout")),
        }
    }
    let checker = Checker::find(root, raddle)?;
    println!(
        "| stores | threads | events | reads-from | execution | encoding | solving | peak MB | bytes an event |"
    );
    println!("|---|--:|--:|--:|--:|--:|--:|--:|--:|");
    for constants in [true, false] {
        for threads in [2, 10] {
            let path = std::env::temp_dir().join(format!("raddle-encoding-{}.c", std::process::id()));
            std::fs::write(&path, program(threads, constants))
                .map_err(|e| format!("{}: {e}", path.display()))?;
            let mut command = Command::new(checker.program());
            command.arg("check").arg(&path).args(["--engine", "order", "--property", "assert", "--stats"]);
            let output = command.args(["--format", "json", "--timeout", timeout]).output();
            let _ = std::fs::remove_file(&path);
            let output =
                output.map_err(|e| format!("{} does not start: {e}", checker.program().display()))?;
            let report: Value = serde_json::from_slice(&output.stdout)
                .map_err(|e| format!("no report: {e}\n{}", String::from_utf8_lossy(&output.stderr)))?;
            let figure = |name: &str| report["stats"][name].as_u64();
            let shown = |name: &str| figure(name).map_or_else(|| "-".into(), |n| n.to_string());
            let peak = figure("peak-memory-kb");
            let each = peak.zip(figure("events")).map(|(kb, events)| kb * 1024 / events.max(1));
            println!(
                "| {} | {threads} | {} | {} | {} ms | {} ms | {} ms | {} | {} |",
                if constants { "constants" } else { "what was read plus one" },
                shown("events"),
                shown("reads-from"),
                shown("execution-ms"),
                shown("encoding-ms"),
                shown("solving-ms"),
                peak.map_or_else(|| "-".into(), |kb| (kb / 1024).to_string()),
                each.map_or_else(|| "-".into(), |bytes| bytes.to_string()),
            );
        }
    }
    Ok(())
}
