//! Programs about the end of the process: exit from any thread, its handlers, quick_exit, constructors and destructors.
//!
//! Threads that may still run when the process ends note nothing: the handlers note what those have done by atomics.

use super::draft::Draft;
use crate::Random;

/// Handlers run in the thread that ends the process; `notes_2` is theirs alone. The handler that was registered first
/// runs last and hands the outcome over.
const HANDLERS: &str = "static atomic_int steps;\nstatic sem_t never;\n#define me (&notes_2)\n\
    static void last_handler(void) { NOTE(900); NOTE(steps); finish(); }\n\
    static void plain_handler(void) { DELAY(); NOTE(901); NOTE(steps++); }\n\
    static void late_handler(void) { NOTE(902); }\n\
    static void registering_handler(void) { NOTE(903); NOTE(atexit(late_handler)); }\n\
    static void coded_handler(int code, void *argument) { NOTE(904); NOTE(code); NOTE(*(int *)argument); }\n\
    static int number = 33;\n#undef me\n";

pub fn ends(random: &mut Random, turn: u64) -> Draft {
    let mut draft =
        Draft { globals: HANDLERS.into(), setup: vec!["sem_init(&never, 0, 0);".into()], ..Draft::default() };
    let way = turn % 11;
    if way > 6 {
        return without_handlers(
            draft,
            ["_exit(3);", "_Exit(4);", "abort();", "raise(SIGABRT);"][way as usize - 7],
        );
    }
    let quick = way == 6;
    let register = if quick { "at_quick_exit" } else { "atexit" };
    draft.setup.push(format!("NOTE({register}(last_handler));"));
    let mut handlers = vec![format!("{register}(plain_handler)")];
    if !quick {
        handlers.push("atexit(registering_handler)".into());
        handlers.push("on_exit(coded_handler, &number)".into());
    }
    for _ in 0..random.below(3) {
        let handler = random.pick(&handlers).clone();
        draft.setup.push(format!("NOTE({handler});"));
    }
    if random.one_in(3) {
        draft.globals += "static __attribute__((constructor)) void at_start(void) { notes_0.value[notes_0.count++] = 700; }\n";
    }
    // What the threads do is seen only by the handlers.
    let ending = random.below(2);
    for thread in 0..2 {
        let mut body = vec!["steps++;".to_string()];
        if random.one_in(3) {
            let handler = random.pick(&handlers).clone();
            body.push(format!("{handler};"));
        }
        if way < 3 && thread == ending {
            body.push(format!("exit({});", random.below(5)));
        } else if quick && thread == ending {
            body.push("quick_exit(4);".into());
        } else {
            body.push("steps += 10;".into());
        }
        draft.bodies.push(body);
    }
    match way {
        // A thread ends the process; main waits for ever, or ends before.
        0 | 1 | 6 => draft.joins = Some(vec!["sem_wait(&never);".into()]),
        2 => draft.joins = Some(vec!["pthread_exit(0);".into()]),
        // main ends it, with the threads still running or not.
        3 => draft.end = Some(format!("    exit({});\n", random.below(300))),
        4 => {
            draft.joins = Some(Vec::new());
            draft.end = Some("    return 3;\n".into());
        }
        // The last thread that ends is the end of the process.
        _ => draft.joins = Some(vec!["pthread_exit(0);".into()]),
    }
    // main's own log is not written while a handler reads it.
    draft.main.clear();
    draft
}

/// The process ends at once: no handler runs.
fn without_handlers(mut draft: Draft, call: &str) -> Draft {
    draft.setup.push("NOTE(atexit(last_handler)); NOTE(at_quick_exit(last_handler));".into());
    draft.bodies = vec![vec!["NOTE(steps++);".into()], vec!["NOTE(steps++);".into()]];
    // A handler that ran would hand over a second outcome.
    draft.end = Some(format!("    finish();\n    {call}\n"));
    draft
}
