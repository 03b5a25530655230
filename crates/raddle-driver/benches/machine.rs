//! The machine's speed on whole C programs, with every monitor on: against LLVM's interpreter on the same programs
//! (`benches/machine/*.c`), on four threads, and the loading of a large `.ll` file. Prints tables; run with
//! `cargo xtask bench machine`.
//!
//! Seconds are processor time, the best of a few runs, so that other work on the computer makes neither side look slow.
//! The interpreter's include its start and reading of the file (some milliseconds), the machine's are of the run alone.
//! Compiling is in neither. The native program's are real time: too short to be told otherwise.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use raddle_driver::{CheckRequest, Executed, execute};

const RUNS: usize = 5;
/// The release that the interpreter belongs to.
const CLANG: &str = "clang-14";
const INTERPRETER: [&str; 3] = ["lli-14", "-jit-kind=mcjit", "-force-interpreter"];

fn main() -> Result<(), String> {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|a| a != "--bench").collect();
    if let [flag, file] = &arguments[..]
        && flag == "--load"
    {
        return load_only(Path::new(file));
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let scratch = std::env::temp_dir().join(format!("raddle-bench-{}", std::process::id()));
    std::fs::create_dir_all(&scratch).map_err(|e| e.to_string())?;
    let done = sequential(&root.join("benches/machine"), &scratch, &arguments)
        .and_then(|()| threads(&root.join("benches/machine/threads/four_threads.c")))
        .and_then(|()| loading(&scratch));
    let _ = std::fs::remove_dir_all(&scratch);
    done
}

fn sequential(folder: &Path, scratch: &Path, only: &[String]) -> Result<(), String> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)
        .map_err(|e| format!("{}: {e}", folder.display()))?
        .filter_map(|entry| entry.ok().map(|e| e.path()))
        .filter(|path| path.extension().is_some_and(|e| e == "c"))
        .filter(|path| only.is_empty() || only.iter().any(|name| path.ends_with(format!("{name}.c"))))
        .collect();
    files.sort();
    println!("| program | native -O0 | LLVM's interpreter | raddle | faster than the interpreter |");
    println!("|---|---:|---:|---:|---:|");
    for file in files {
        let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let (native, bitcode) = (scratch.join(&name), scratch.join(format!("{name}.ll")));
        compile(&["-O0", "-o"], &native, &file)?;
        compile(&["-O0", "-S", "-emit-llvm", "-o"], &bitcode, &file)?;
        let (mut native_best, mut interpreter_best, mut machine_best) = (f64::MAX, f64::MAX, f64::MAX);
        // One after the other, so that all three meet the same moods of the machine they run on.
        for run in 0..RUNS {
            let (expected, seconds) = timed(Command::new(&native))?;
            native_best = native_best.min(seconds);
            // It takes long and varies little.
            if run < 3 {
                let mut interpreter = Command::new(INTERPRETER[0]);
                interpreter.args(&INTERPRETER[1..]).arg(&bitcode);
                let before = processor_seconds_of_children();
                let (printed, _) = timed(interpreter)?;
                interpreter_best = interpreter_best.min(processor_seconds_of_children() - before);
                same(&name, "the interpreter", &printed, &expected)?;
            }
            let done = run_on_machine(&file)?;
            same(&name, "the machine", &done.stdout, &expected)?;
            machine_best = machine_best.min(seconds_of(&done));
        }
        let ratio = interpreter_best / machine_best;
        println!(
            "| {name} | {native_best:.3} s | {interpreter_best:.2} s | {machine_best:.3} s | {ratio:.1} times |"
        );
    }
    Ok(())
}

fn compile(flags: &[&str], output: &Path, file: &Path) -> Result<(), String> {
    let status = Command::new(CLANG).args(flags).arg(output).arg(file).status();
    match status {
        Ok(status) if status.success() => Ok(()),
        Ok(_) => Err(format!("{} does not compile", file.display())),
        Err(error) => Err(format!("{CLANG}: {error}; `apt-get install clang-14 llvm-14-runtime`")),
    }
}

fn timed(mut command: Command) -> Result<(Vec<u8>, f64), String> {
    let start = Instant::now();
    let output =
        command.output().map_err(|e| format!("{command:?}: {e}; `apt-get install llvm-14-runtime`"))?;
    let seconds = start.elapsed().as_secs_f64();
    if !output.status.success() {
        return Err(format!("{command:?} fails: {}", String::from_utf8_lossy(&output.stderr)));
    }
    Ok((output.stdout, seconds))
}

/// User and system time of the children that have ended, in hundredths of a second.
fn processor_seconds_of_children() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // After the name in parentheses: the fields from the third on; these are the 16th and 17th.
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
    let ticks = |at: usize| fields.get(at).and_then(|f| f.parse::<f64>().ok()).unwrap_or(0.0);
    (ticks(13) + ticks(14)) / 100.0
}

fn same(name: &str, who: &str, printed: &[u8], expected: &[u8]) -> Result<(), String> {
    if printed == expected { Ok(()) } else { Err(format!("{name}: {who} prints something else")) }
}

/// One run with the default properties: assertions, races, deadlocks, memory safety, overflow, locks.
fn run_on_machine(file: &Path) -> Result<Executed, String> {
    let mut request = CheckRequest::new(vec![file.to_path_buf()]);
    request.compile.clang = Some(CLANG.into());
    request.budget.max_instructions = Some(u64::MAX / 2);
    let done = execute(&request).map_err(|e| e.to_string())?;
    if done.ended != "complete" || !done.faults.is_empty() {
        return Err(format!("{}: {} {:?}", file.display(), done.ended, done.faults));
    }
    Ok(done)
}

fn seconds_of(done: &Executed) -> f64 {
    done.processor.unwrap_or(done.running).as_secs_f64()
}

fn threads(file: &Path) -> Result<(), String> {
    let (mut best, mut moves) = (f64::MAX, 0);
    for _ in 0..RUNS {
        let done = run_on_machine(file)?;
        best = best.min(seconds_of(&done));
        moves = done.moves;
    }
    println!("\nFour threads, random schedule, race monitor: {moves} steps in {best:.3} s, ");
    println!("{:.2} million steps a second.", moves as f64 / best / 1e6);
    Ok(())
}

/// A generated file of 20 MB, loaded by a process of its own, so that its peak memory can be told.
fn loading(scratch: &Path) -> Result<(), String> {
    let file = scratch.join("large.ll");
    std::fs::write(&file, large_program(20 << 20)).map_err(|e| e.to_string())?;
    let myself = std::env::current_exe().map_err(|e| e.to_string())?;
    let output = Command::new(myself).arg("--load").arg(&file).output().map_err(|e| e.to_string())?;
    if !output.status.success() {
        return Err(format!("loading fails: {}", String::from_utf8_lossy(&output.stderr)));
    }
    let length = std::fs::metadata(&file).map_err(|e| e.to_string())?.len() as f64 / (1 << 20) as f64;
    println!("\nLoading {length:.1} MiB of `.ll`: {}", String::from_utf8_lossy(&output.stdout).trim());
    Ok(())
}

/// Loads and runs (the program returns at once), and tells the seconds and the peak memory.
fn load_only(file: &Path) -> Result<(), String> {
    let done = run_on_machine(file)?;
    let status = std::fs::read_to_string("/proc/self/status").map_err(|e| e.to_string())?;
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap_or("").trim().to_string();
    let mib = peak.split(' ').next().and_then(|kb| kb.parse::<f64>().ok()).unwrap_or(f64::NAN) / 1024.0;
    println!("{:.2} s, peak memory {mib:.0} MiB", done.loading.as_secs_f64());
    Ok(())
}

/// Functions as clang writes them at -O0, with debug places, until the text is long enough.
fn large_program(length: usize) -> String {
    let mut text = String::with_capacity(length + (1 << 20));
    text.push_str(
        "target datalayout = \"e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-f80:128-n8:16:32:64-S128\"\n",
    );
    text.push_str(
        "target triple = \"x86_64-pc-linux-gnu\"\n\n@table = global [64 x i32] zeroinitializer, align 16\n",
    );
    let mut functions = 0;
    let mut metadata = String::new();
    while text.len() + metadata.len() < length {
        let _ = write!(text, "\ndefine i32 @f{functions}(i32 %0, i32 %1) !dbg !{} {{\n", 10 + 20 * functions);
        text.push_str("  %3 = alloca i32, align 4\n  %4 = alloca i32, align 4\n  %5 = alloca i32, align 4\n");
        text.push_str("  store i32 %0, i32* %3, align 4\n  store i32 %1, i32* %4, align 4\n");
        text.push_str("  store i32 0, i32* %5, align 4\n  br label %6\n");
        let mut next = 6;
        for block in 0..8 {
            let place = 11 + 20 * functions + 2 * block;
            let n = next;
            let _ = write!(
                text,
                "\n{n}:\n  %{a} = load i32, i32* %3, align 4, !dbg !{place}\n  \
                 %{b} = load i32, i32* %4, align 4, !dbg !{place}\n  \
                 %{c} = add nsw i32 %{a}, %{b}, !dbg !{place}\n  \
                 %{d} = and i32 %{c}, 63, !dbg !{place}\n  \
                 %{e} = sext i32 %{d} to i64, !dbg !{place}\n  \
                 %{f} = getelementptr inbounds [64 x i32], [64 x i32]* @table, i64 0, i64 %{e}, !dbg !{place}\n  \
                 %{g} = load i32, i32* %{f}, align 4, !dbg !{other}\n  \
                 store i32 %{g}, i32* %5, align 4, !dbg !{other}\n  \
                 %{h} = icmp slt i32 %{g}, {block}, !dbg !{other}\n  \
                 br i1 %{h}, label %{i}, label %{i}, !dbg !{other}\n",
                a = n + 1,
                b = n + 2,
                c = n + 3,
                d = n + 4,
                e = n + 5,
                f = n + 6,
                g = n + 7,
                h = n + 8,
                i = n + 9,
                other = place + 1,
            );
            next = n + 9;
        }
        let _ = write!(
            text,
            "\n{next}:\n  %{a} = load i32, i32* %5, align 4\n  ret i32 %{a}\n}}\n",
            a = next + 1
        );
        let id = 10 + 20 * functions;
        let _ = writeln!(
            metadata,
            "!{id} = distinct !DISubprogram(name: \"f{functions}\", scope: !1, file: !1, line: {functions}, type: !4, \
             scopeLine: 1, spFlags: DISPFlagDefinition, unit: !0, retainedNodes: !2)"
        );
        for place in 1..17 {
            let _ =
                writeln!(metadata, "!{} = !DILocation(line: {place}, column: 5, scope: !{id})", id + place);
        }
        functions += 1;
    }
    // Nothing is called, but everything could be.
    text.push_str("\ndefine i32 @main() {\n  %1 = load i32, i32* getelementptr inbounds ([64 x i32], [64 x i32]* @table, i64 0, i64 1)\n");
    text.push_str("  %2 = icmp eq i32 %1, 0\n  br i1 %2, label %3, label %4\n\n3:\n  ret i32 0\n\n4:\n");
    for function in 0..functions {
        let _ = writeln!(text, "  %{} = call i32 @f{function}(i32 1, i32 2)", function + 5);
    }
    text.push_str("  ret i32 1\n}\n\n!llvm.dbg.cu = !{!0}\n!llvm.module.flags = !{!3}\n");
    text.push_str("!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, producer: \"clang\", isOptimized: false, runtimeVersion: 0, emissionKind: FullDebug)\n");
    text.push_str("!1 = !DIFile(filename: \"large.c\", directory: \"/\")\n!2 = !{}\n");
    text.push_str("!3 = !{i32 2, !\"Debug Info Version\", i32 3}\n!4 = !DISubroutineType(types: !2)\n");
    text.push_str(&metadata);
    text
}
