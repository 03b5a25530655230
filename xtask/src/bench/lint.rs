//! `raddle lint` of large inputs: folders or files of real C, or generated programs. Lines, seconds with the compiler's apart, peak memory,
//! findings, functions of which effort limits left something out; then the same again from the cache, and after a change of one file.
//!
//! Each entry of a folder that contains C files is linted by one command of its own, as a project; files are commands of their own too, and
//! all generated files are one project. A line that is only white space or a line marker does not count.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use serde_json::Value;

use super::checker::Checker;

/// Functions of one generated file.
const FUNCTIONS: usize = 40;
const DEFAULT_LINES: usize = 100_000;
/// What is appended to a file for the second run.
const CHANGE: &str = "\nint raddle_bench_change(int x) { return x + 1; }\n";

#[derive(Default)]
struct Row {
    lines: usize,
    seconds: f64,
    compiler: f64,
    peak_mb: f64,
    findings: usize,
    functions: u64,
    cut: u64,
}

/// `--raddle PROGRAM`, `--lines N` (generated), folders and files.
pub fn run(root: &Path, words: &[&str]) -> Result<(), String> {
    let (mut raddle, mut lines, mut inputs) = (None, None, Vec::new());
    let mut words = words.iter();
    while let Some(word) = words.next() {
        match *word {
            "--raddle" => raddle = Some(*words.next().ok_or("--raddle needs a program")?),
            "--lines" => {
                let number = words.next().and_then(|n| n.parse::<usize>().ok()).filter(|n| *n > 0);
                lines = Some(number.ok_or("--lines needs a number above 0")?);
            }
            flag if flag.starts_with('-') => {
                return Err(format!("`{flag}` is not known; known are --raddle, --lines, folders and files"));
            }
            path => inputs.push(PathBuf::from(path)),
        }
    }
    let checker = Checker::find(root, raddle)?;
    let folder = crate::differential::target(root).join("lint-bench");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let mut projects = projects(&inputs)?;
    if inputs.is_empty() || lines.is_some() {
        projects.push(generate(&folder.join("generated"), lines.unwrap_or(DEFAULT_LINES))?);
    }
    println!("| input | lines | seconds | compiler | analysis | peak MB | findings | functions | cut |");
    println!("|---|--:|--:|--:|--:|--:|--:|--:|--:|");
    let cache = folder.join("cache");
    let mut all = Row::default();
    let mut complaints = Vec::new();
    for project in &projects {
        match lint(&checker, project, &cache) {
            Ok(row) => {
                print(&project.display().to_string(), &row);
                all.lines += row.lines;
                all.seconds += row.seconds;
                all.compiler += row.compiler;
                all.peak_mb = all.peak_mb.max(row.peak_mb);
                all.findings += row.findings;
                all.functions += row.functions;
                all.cut += row.cut;
            }
            Err(why) => complaints.push(format!("{}: {why}", project.display())),
        }
    }
    print("all", &all);
    let rate = all.lines as f64 / (all.seconds - all.compiler).max(0.001);
    println!("{rate:.0} lines a second without the compiler: {:.1} s for 100,000", 100_000.0 / rate);
    // All again: once unchanged, once with a change of the largest file.
    let again = |projects: &[PathBuf]| -> f64 {
        let rows = projects.iter().filter_map(|project| lint(&checker, project, &cache).ok());
        rows.map(|row| row.seconds).sum()
    };
    println!("again, unchanged: {:.1} s", again(&projects));
    let copy = folder.join("changed");
    if let Some((copied, largest)) = copied(&projects, &copy)? {
        again(&copied);
        let mut text = std::fs::read(&largest).map_err(|e| e.to_string())?;
        text.extend_from_slice(CHANGE.as_bytes());
        std::fs::write(&largest, text).map_err(|e| e.to_string())?;
        println!("again, after a change of {}: {:.1} s", largest.display(), again(&copied));
    }
    complaints.iter().for_each(|complaint| println!("not linted: {complaint}"));
    std::fs::remove_dir_all(&folder).map_err(|e| e.to_string())
}

fn print(name: &str, row: &Row) {
    println!(
        "| {name} | {} | {:.2} | {:.2} | {:.2} | {:.0} | {} | {} | {} |",
        row.lines,
        row.seconds,
        row.compiler,
        row.seconds - row.compiler,
        row.peak_mb,
        row.findings,
        row.functions,
        row.cut
    );
}

/// Files, and entries of folders that have C files.
fn projects(inputs: &[PathBuf]) -> Result<Vec<PathBuf>, String> {
    let mut projects = Vec::new();
    for input in inputs {
        if input.is_file() {
            projects.push(input.clone());
            continue;
        }
        let entries = std::fs::read_dir(input).map_err(|e| format!("{}: {e}", input.display()))?;
        let mut entries: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
        entries.sort();
        projects.extend(entries.into_iter().filter(|entry| !sources(entry).is_empty()));
    }
    Ok(projects)
}

/// The C files of a project.
fn sources(project: &Path) -> Vec<PathBuf> {
    let is_source = |path: &Path| path.extension().is_some_and(|e| e == "c");
    if project.is_file() {
        return if is_source(project) { vec![project.to_path_buf()] } else { Vec::new() };
    }
    let Ok(entries) = std::fs::read_dir(project) else { return Vec::new() };
    let mut files: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    files.retain(|path| path.is_file() && is_source(path));
    files.sort();
    files
}

fn lines(file: &Path) -> usize {
    let text = std::fs::read(file).unwrap_or_default();
    let text = String::from_utf8_lossy(&text);
    text.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#')).count()
}

fn lint(checker: &Checker, project: &Path, cache: &Path) -> Result<Row, String> {
    let files = sources(project);
    let mut command = Command::new(checker.program());
    command.arg("lint").args(&files).args(["--format", "json", "--stats"]).env("XDG_CACHE_HOME", cache);
    let from = Instant::now();
    let output = command.output().map_err(|e| format!("raddle does not start: {e}"))?;
    let seconds = from.elapsed().as_secs_f64();
    let report: Value = serde_json::from_slice(&output.stdout).map_err(|_| {
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        text.lines().take(2).collect::<Vec<_>>().join(" ")
    })?;
    let figure = |name: &str| report["stats"][name].as_u64().unwrap_or(0);
    Ok(Row {
        lines: files.iter().map(|file| lines(file)).sum(),
        seconds,
        compiler: figure("compiler-ms") as f64 / 1000.0,
        peak_mb: figure("peak-memory-kb") as f64 / 1024.0,
        findings: report["findings"].as_array().map_or(0, Vec::len),
        functions: figure("functions"),
        cut: figure("functions-cut"),
    })
}

/// Copies of all projects, and the largest file of the copies.
fn copied(projects: &[PathBuf], to: &Path) -> Result<Option<(Vec<PathBuf>, PathBuf)>, String> {
    let (mut copies, mut largest) = (Vec::new(), None);
    for (index, project) in projects.iter().enumerate() {
        let folder = to.join(index.to_string());
        std::fs::create_dir_all(&folder).map_err(|e| e.to_string())?;
        for file in sources(project) {
            let Some(name) = file.file_name() else { continue };
            let copy = folder.join(name);
            let bytes = std::fs::copy(&file, &copy).map_err(|e| format!("{}: {e}", file.display()))?;
            if largest.as_ref().is_none_or(|(most, _)| bytes > *most) {
                largest = Some((bytes, copy));
            }
        }
        copies.push(folder);
    }
    Ok(largest.map(|(_, file)| (copies, file)))
}

/// One program in many files: threads, locks in structures, calls between the files.
fn generate(folder: &Path, wanted: usize) -> Result<PathBuf, String> {
    std::fs::create_dir_all(folder).map_err(|e| e.to_string())?;
    let mut written = 0;
    let mut files = 0;
    while written < wanted {
        let text = generated(files);
        written += text.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#')).count();
        let path = folder.join(format!("unit{files}.c"));
        std::fs::write(&path, text).map_err(|e| format!("{}: {e}", path.display()))?;
        files += 1;
    }
    let mut text = String::from("#include <pthread.h>\n");
    for file in 0..files {
        text += &format!("void *start_{file}(void *argument);\n");
    }
    text += &format!("int main(void) {{\n    pthread_t threads[{files}];\n");
    for file in 0..files {
        text += &format!("    pthread_create(&threads[{file}], 0, start_{file}, 0);\n");
    }
    text +=
        &format!("    for (int i = 0; i < {files}; i++) pthread_join(threads[i], 0);\n    return 0;\n}}\n");
    std::fs::write(folder.join("main.c"), text).map_err(|e| e.to_string())?;
    Ok(folder.to_path_buf())
}

fn generated(file: usize) -> String {
    let mut text = String::from(
        "#include <pthread.h>
#include <stdlib.h>
struct item { struct item *next; int key; int value; };
struct table { pthread_mutex_t lock; struct item *buckets[16]; int count; };
",
    );
    text += &format!("static struct table tables_{file}[4];\nstatic int hits_{file};\n");
    for function in 0..FUNCTIONS {
        let callee = match function {
            0 => "0".to_string(),
            _ => format!("step_{file}_{}(table, key + 1, depth - 1)", function / 2),
        };
        text += &format!(
            "
static int step_{file}_{function}(struct table *table, int key, int depth) {{
    int result = 0;
    if (depth <= 0)
        return key;
    pthread_mutex_lock(&table->lock);
    struct item *item = table->buckets[(unsigned)key % 16];
    while (item && item->key != key)
        item = item->next;
    if (!item) {{
        item = malloc(sizeof *item);
        if (!item) {{
            pthread_mutex_unlock(&table->lock);
            return -1;
        }}
        item->key = key;
        item->value = {function};
        item->next = table->buckets[(unsigned)key % 16];
        table->buckets[(unsigned)key % 16] = item;
        table->count++;
    }}
    result = item->value;
    pthread_mutex_unlock(&table->lock);
    if (result > 10)
        hits_{file} += {callee};
    return result;
}}
"
        );
    }
    text += &format!(
        "
void *start_{file}(void *argument) {{
    int sum = 0;
    for (int i = 0; i < 4; i++)
        pthread_mutex_init(&tables_{file}[i].lock, 0);
    for (int round = 0; round < 100; round++) {{
"
    );
    for function in (0..FUNCTIONS).rev() {
        text +=
            &format!("        sum += step_{file}_{function}(&tables_{file}[{}], round, 3);\n", function % 4);
    }
    text + "    }\n    return (void *)(long)sum;\n}\n"
}
