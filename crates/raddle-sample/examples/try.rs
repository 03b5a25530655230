//! Runs a C file under random schedules and prints what happens; for developers.
use raddle_machine::drive::{Limits, drive};
use raddle_machine::{Machine, RaceMonitor, Scene, Settings, Watch};
use raddle_sample::{Generator, Random};

struct Out(bool);
impl Watch for Out {
    fn output(&mut self, _: &Scene, _: u32, bytes: &[u8]) {
        if self.0 {
            print!("{}", String::from_utf8_lossy(bytes));
        }
    }
}

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let runs: u64 = args.get(2).and_then(|n| n.parse().ok()).unwrap_or(1);
    let mut options = raddle_clang::compile::CompileOptions::default();
    if args.iter().any(|a| a == "-m32") {
        options.data_model = raddle_clang::compile::DataModel::Ilp32;
    }
    if args.iter().any(|a| a == "-O2") {
        options.optimize = raddle_clang::compile::OptLevel::O2;
    }
    let t = std::time::Instant::now();
    let loaded = raddle_clang::load::load(&[args[1].clone().into()], &options, &Default::default())
        .unwrap_or_else(|e| panic!("{e}"));
    eprintln!("loaded in {:?}, {} functions", t.elapsed(), loaded.program.functions.len());
    if args.iter().any(|a| a == "-p") {
        println!("{}", raddle_ir::text::print(&loaded.program));
    }
    if let Err(errors) = raddle_ir::verify::verify(&loaded.program) {
        for e in errors.iter().take(10) {
            eprintln!("verify: {e:?}");
        }
    }
    let machine = Machine::new(std::sync::Arc::new(loaded.program), Settings::default()).unwrap();
    let t = std::time::Instant::now();
    let mut counts = std::collections::BTreeMap::new();
    let mut moves = 0;
    for run in 0..runs {
        let mut s = Random::new(Generator::for_run(1, run));
        let mut m = RaceMonitor::new();
        let e = drive(&machine, &mut s, Some(&mut m), &mut Out(runs == 1), &Limits::default());
        moves += e.schedule.len();
        for v in &e.violations {
            *counts.entry(format!("{:?}", v.kind).chars().take(300).collect::<String>()).or_insert(0) += 1;
        }
        *counts
            .entry(format!(
                "{:?} {:?} exit {:?}",
                e.ended,
                e.state.end(),
                raddle_machine::drive::exit_code(&e.state)
            ))
            .or_insert(0) += 1;
    }
    eprintln!("{moves} moves in {:?}", t.elapsed());
    for (k, v) in counts {
        eprintln!("{v:6} {k}");
    }
}
