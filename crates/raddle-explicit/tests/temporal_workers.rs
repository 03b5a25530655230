//! Temporal formulas and termination by several workers: the same as by one.

mod random_ir;
mod runs_oracle;

use raddle_explicit::{TemporalResult, search_runs};
use raddle_machine::Settings;
use raddle_trace::{Budget, Silent};
use random_ir::{Random, busy_program, expression, load};
use runs_oracle::{Asked, WAYS, formula, settings};

/// One, two and three workers: the same run, or none, and the same numbers. How many states others had looked at; `None`
/// when one worker takes too long.
fn compare_workers(text: &str, settings: &Settings, asked: &Asked, way: (u32, bool)) -> Option<u64> {
    let program = load(text);
    let expressions = [expression(&program, "p"), expression(&program, "q")];
    let runs = asked.runs(&expressions, way);
    let search = |workers: usize, seconds: u64| {
        let timeout = Some(std::time::Duration::from_secs(seconds));
        let budget = Budget { workers, timeout, ..Budget::default() };
        search_runs(&program, settings, &runs, &budget, &mut Silent).unwrap()
    };
    let facts =
        |r: &TemporalResult| (r.lasso.clone(), r.states, r.transitions, r.nodes, r.gaps.clone(), r.exposed);
    let alone = search(1, 5);
    if alone.stopped.is_some() {
        return None;
    }
    let mut helped = 0;
    for workers in [2, 3] {
        let many = search(workers, 600);
        assert_eq!(facts(&alone), facts(&many), "{}, {way:?}, {workers} workers\n{text}", asked.text());
        helped += many.helped;
    }
    Some(helped)
}

fn compare_workers_at_random(seeds: std::ops::Range<u64>) -> (u32, u64) {
    let (mut compared, mut helped) = (0, 0);
    for seed in seeds {
        let mut random = Random::new(seed);
        let text = busy_program(&mut random);
        let settings = settings(&mut random);
        for round in 0..4 {
            let formula = (round > 0).then(|| formula(&mut random, false));
            let asked = Asked { formula, progress: random.one_in(3), fairness: !random.one_in(3) };
            let way = WAYS[random.below(4) as usize];
            if let Some(more) = compare_workers(&text, &settings, &asked, way) {
                compared += 1;
                helped += more;
            }
        }
    }
    eprintln!("{compared} questions, {helped} states were looked at by others");
    (compared, helped)
}

/// Three threads that count in circles; thousands of states.
#[test]
fn workers_agree_on_counters() {
    let circle = |word: &str, seen: &str| {
        format!(
            " jump bb1\nbb1:\n load.i32 r1 = [{word}]\n add.i32 r1 = r1, 1\n and.i32 r1 = r1, 7\n store.i32 [{word}] = r1\n \
             and.i32 r2 = r1, 4\n store.i32 [{seen}] = r2\n load.i32 r3 = [&v]\n eq.i32 r4 = r3, 0\n branch r4, bb1, bb2\n\
             bb2:\n kernel.thread_exit\n unreachable\n"
        )
    };
    let text = format!(
        "function a() {{\nbb0:\n{}}}\nfunction b() {{\nbb0:\n{}}}\nfunction main() {{\nbb0:\n call @start(@a)\n \
         call @start(@b)\n{}}}\n{}",
        circle("&g0", "&x"),
        circle("&g1", "&y"),
        circle("&g2", "&u"),
        random_ir::LIBRARY
    );
    let settings = Settings { fuse_alone: false, ..Settings::default() };
    let mut helped = 0;
    for formula in ["[]<> p", "<>[] (p && q)", "[] (p -> <> q)", "[]<> (p && !q)"] {
        for fairness in [false, true] {
            let formula = Some(raddle_ltl::parse(&format!("(true || p || q) && ({formula})")).unwrap());
            let asked = Asked { formula, progress: false, fairness };
            for way in WAYS {
                helped += compare_workers(&text, &settings, &asked, way).expect("small");
            }
        }
    }
    assert!(helped > 0);
}

#[test]
fn workers_agree() {
    let (compared, _) = compare_workers_at_random(0..60);
    assert!(compared > 150, "{compared}");
}

#[test]
#[ignore = "long"]
fn workers_agree_on_many() {
    let (compared, helped) = compare_workers_at_random(1_000..4_000);
    assert!(compared > 10_000 && helped > 0, "{compared} {helped}");
}
