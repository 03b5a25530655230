//! The estimate of the number of executions is near for most programs. Far below: targets that only a tried one shows are not
//! counted, and rare large subtrees are seldom drawn.

use std::sync::Arc;

use raddle_conformance::Random;
use raddle_conformance::concurrent::random_program;
use raddle_machine::{Machine, Settings};
use raddle_stateless::{Config, Estimator, explore};
use raddle_trace::{Budget, Property, Silent};

#[test]
fn walks_agree_with_the_number_of_executions() {
    let settings = Settings {
        fuse_alone: false,
        local_limit: 2000,
        spurious_wakeups: false,
        go_on_after_assertion: true,
        ..Settings::default()
    };
    let config = Config { max_events: 60, ..Config::new(vec![Property::Assert]) };
    let mut ratios = Vec::new();
    for seed in 0..120 {
        let program = Arc::new(random_program(&mut Random::new(seed)).program());
        let machine = Machine::new(program, settings.clone()).expect("small");
        let budget = Budget { timeout: Some(std::time::Duration::from_millis(200)), ..Budget::default() };
        let explored = explore(&machine, &config, &budget, &mut Silent, &mut ());
        let executions = explored.executions + explored.blocked;
        if executions < 8 || explored.cut > 0 || explored.stopped.is_some() {
            continue;
        }
        let mut estimator = Estimator::new(&machine, &config);
        estimator.walk(40_000);
        ratios.push(estimator.executions().expect("there were walks") / executions as f64);
    }
    let near = ratios.iter().filter(|ratio| (0.8..1.25).contains(*ratio)).count();
    ratios.sort_by(f64::total_cmp);
    assert!(ratios.len() > 20 && near * 5 >= ratios.len() * 4, "{near} of {}: {ratios:.2?}", ratios.len());
}
