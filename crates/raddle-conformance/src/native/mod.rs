//! Generated C programs for a comparison of the library models with native execution.
//!
//! A program has two or three threads that call functions of the table (`raddle-clang/models/functions.txt`) and note in a log of
//! their own whatever they observe: results, errors, values read. It is free of data races by construction (shared
//! data is accessed under a lock or by seq_cst atomics), so every outcome that a native run shows must be an outcome
//! of the model. The reverse is not expected: native schedulers show few interleavings.
//!
//! The same number gives the same program everywhere. The families take turns, and within a family the calls that only
//! concern one thread take turns too, so that a range of consecutive numbers covers the table.
//!
//! Misses: what a program does not note; outcomes that need more delays than a few native runs have; functions in
//! [`EXCEPTIONS`].

mod calls;
mod cancellation;
mod coverage;
mod draft;
mod locks;
mod process;
mod threads;
mod waiting;

pub use coverage::{EXCEPTIONS, SINCE_2_38, functions_of_assembly, table_of_functions};

use crate::Random;
use draft::Draft;

/// A program, complete but for what comes before it: natively nothing; for the model, [`NativeProgram::for_model`].
pub struct NativeProgram {
    pub number: u64,
    pub family: &'static str,
    pub text: String,
}

type Family = (&'static str, fn(&mut Random, u64) -> Draft);

/// In turns: those with many functions are listed more than once.
const FAMILIES: [Family; 25] = [
    ("mutex", |r, _| locks::mutexes(r)),
    ("text", |r, turn| calls::of_one_thread(r, 2 * turn, calls::TEXT)),
    ("condition", |r, _| waiting::conditions(r)),
    ("system", |r, turn| calls::of_one_thread(r, 3 * turn, calls::SYSTEM)),
    ("cancellation", |r, _| cancellation::cancelled_threads(r)),
    ("atomics", |r, turn| calls::shared_atomics(r, 2 * turn)),
    ("rwlock", |r, _| locks::read_write_locks(r)),
    ("numbers", |r, turn| calls::of_one_thread(r, 2 * turn, calls::NUMBERS)),
    ("semaphore", |r, _| waiting::semaphores(r)),
    ("join", |r, _| threads::joins(r)),
    ("streams", |r, turn| calls::of_one_thread(r, 3 * turn, calls::STREAMS)),
    ("c11 mutex", |r, _| locks::c11_mutexes(r)),
    ("robust mutex", |r, _| locks::robust_mutexes(r)),
    ("barrier", |r, _| waiting::barriers(r)),
    ("system", |r, turn| calls::of_one_thread(r, 3 * turn + 1, calls::SYSTEM)),
    ("process", |r, turn| process::ends(r, 2 * turn)),
    ("c11 condition", |r, _| waiting::c11_conditions(r)),
    ("keys", |r, _| threads::keys(r)),
    ("atomics", |r, turn| calls::shared_atomics(r, 2 * turn + 1)),
    ("spin lock", |r, _| locks::spin_locks(r)),
    ("streams", |r, turn| calls::of_one_thread(r, 3 * turn + 1, calls::STREAMS)),
    ("process", |r, turn| process::ends(r, 2 * turn + 1)),
    ("once", |r, _| threads::once(r)),
    ("cancelled wait", |r, _| cancellation::cancelled_waits(r)),
    ("system", |r, turn| calls::of_one_thread(r, 3 * turn + 2, calls::SYSTEM)),
];

/// The program of a number.
pub fn native_program(number: u64) -> NativeProgram {
    let mut random = Random::new(number.wrapping_mul(7919).wrapping_add(17));
    let (family, make) = FAMILIES[(number % FAMILIES.len() as u64) as usize];
    let draft = make(&mut random, number / FAMILIES.len() as u64);
    NativeProgram { number, family, text: draft.render(number, family) }
}

impl NativeProgram {
    /// The text for the model: with an outcome (as a native run prints it), an assertion fails exactly when a run has
    /// this outcome.
    pub fn for_model(&self, outcome: Option<&str>) -> String {
        let mut head = "#define RADDLE\n".to_string();
        if let Some(outcome) = outcome {
            head += "#define EXPECTED\n";
            for (log, values) in ["0", "1", "2", "MAIN"].iter().zip(outcome.split(';')) {
                head += &format!("#define EXPECTED_{log} {values}\n");
            }
        }
        head + &self.text
    }
}
