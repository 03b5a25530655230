//! Declarations of models that are false: noticed in the search that relies on them.

use std::sync::Arc;

use raddle_conformance::concurrent::LIBRARY;
use raddle_explicit::{Config, explore};
use raddle_machine::Settings;
use raddle_trace::{Budget, Property, Silent};

/// `main` holds the lock; a thread waits with it and takes it again.
const PROGRAM: &str = r#"
global m: i32
global c: i32
global x: i32
function main() -> 1 {
bb0:
    call @lock(&m)
    r0: i32 = call @start(@waiter, null)
    call @unlock(&m)
    call @lock(&m)
    store.i32 [&x] = 1
    store.i32 [&x] = 2
    call @unlock(&m)
    call @join(r0, &m)
    return 0:i32
}
function waiter(r0: ptr) {
bb0:
    call @lock(&m)
    call @raddle_cond_wait(&c, &m, 0:i32)
    call @unlock(&m)
    call @done(&m)
    return
}
"#;

fn unsupported(library: &str) -> Vec<String> {
    let program = raddle_ir::text::parse(&format!("{PROGRAM}{library}")).unwrap_or_else(|e| panic!("{e}"));
    let config = Config::new(vec![Property::Assert]);
    let explored =
        explore(&Arc::new(program), &Settings::default(), &config, &Budget::default(), &mut Silent);
    explored.expect("small").unsupported.into_iter().map(|(reason, _)| reason).collect()
}

#[test]
fn a_wait_that_does_not_take_its_lock_again() {
    assert_eq!(unsupported(LIBRARY), Vec::<String>::new());
    // It goes on whether or not the lock is held.
    let honest = "r3: i32 = kernel.held r1\n    eq.i32 r4 = r3, 0\n    branch r4, bb3, bb2";
    let lie = "r3: i32 = kernel.held r1\n    eq.i32 r4 = r3, r3\n    branch r4, bb3, bb2";
    assert!(LIBRARY.contains(honest));
    let reasons = unsupported(&LIBRARY.replace(honest, lie));
    assert!(reasons.iter().any(|r| r.contains("declares `retakes`")), "{reasons:?}");
}
