//! Counterexamples reach the observer as soon as they are validated: a run that has to be ended from outside does not lose
//! them.

use raddle_driver::{CheckRequest, check};
use raddle_trace::{Observer, Progress, Property, Trace, Verdict};

#[derive(Default)]
struct Heard(Vec<(Property, Trace)>);

impl Observer for Heard {
    fn progress(&mut self, _: &Progress) {}
    fn violated(&mut self, property: &Property, trace: &Trace) {
        self.0.push((property.clone(), trace.clone()));
    }
}

const RACY: &str = "\
#include <assert.h>
#include <pthread.h>
static int x;
static void *work(void *p) { x++; return p; }
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    x++;
    pthread_join(t, 0);
    assert(x == 2);
}
";

#[test]
fn every_violation_is_announced_with_its_trace() {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR"));
    let source = folder.join("observed.c");
    std::fs::write(&source, RACY).unwrap();
    for engine in ["auto", "random", "pct", "explicit", "stateless"] {
        let request = CheckRequest { engine: engine.into(), ..CheckRequest::new(vec![source.clone()]) };
        let mut heard = Heard::default();
        let report = check(&request, &mut heard).unwrap().report;
        let violated = report.rows.iter().filter(|row| row.verdict() == Verdict::Violated);
        let shown: Vec<(Property, Trace)> =
            violated.map(|row| (row.property.clone(), report.trace_of(row).unwrap().clone())).collect();
        assert_eq!(shown.len(), 2, "{engine}: assert and race");
        for (property, trace) in shown {
            assert!(heard.0.iter().any(|(p, t)| *p == property && *t == trace), "{engine}: {property}");
        }
    }
}
