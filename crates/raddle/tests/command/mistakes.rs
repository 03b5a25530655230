//! Mistakes that users make, as a table: what each message says, and that the cure which it names works.
//!
//! A message is good if it says what happened, where, and what to try. Each entry runs a command that is wrong in one way,
//! compares the exit code and parts of the message, then does what the message advises, and compares again.

mod formulas;
mod limits;
mod locks_and_threads;
mod memory_and_numbers;
mod options;
mod other_inputs;
mod projects;
mod traces_of_other_programs;

use crate::tool::Folder;

/// A mistake and its cure.
struct Mistake {
    name: &'static str,
    /// Names and contents.
    files: &'static [(&'static str, &'static str)],
    command: &'static [&'static str],
    code: i32,
    /// Parts of what is printed.
    says: &'static [&'static str],
    /// Files that the cure writes.
    repaired: &'static [(&'static str, &'static str)],
    /// The command after that; none: the same one.
    cure: &'static [&'static str],
    cured: i32,
    /// A part of what is printed then.
    then: &'static str,
}

fn try_all(mistakes: &[Mistake]) {
    for mistake in mistakes {
        eprintln!("{}", mistake.name);
        let folder = Folder::new(&format!("mistake-{}", mistake.name.replace(' ', "-")));
        for (name, text) in mistake.files {
            folder.write(name, text);
        }
        folder.raddle(mistake.command).says(mistake.code, mistake.says);
        for (name, text) in mistake.repaired {
            folder.write(name, text);
        }
        let cure = if mistake.cure.is_empty() { mistake.command } else { mistake.cure };
        folder.raddle(cure).says(mistake.cured, &[mistake.then]);
    }
}

/// Nothing is wrong with it.
const EMPTY_MAIN: &str = "\
int main(void) { return 0; }
";
/// Two threads raise a number under a lock.
const LOCKED: &str = "\
#include <assert.h>
#include <pthread.h>
int x;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *w(void *p) {
    pthread_mutex_lock(&m);
    x++;
    pthread_mutex_unlock(&m);
    return p;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, w, 0);
    w(0);
    pthread_join(t, 0);
    assert(x == 2);
}
";
/// A function that no file defines.
const CALL: &str = "\
int get(void);
int main(void) { return get() * 0; }
";
/// A loop of up to 100 rounds.
const LOOP: &str = "\
#include <assert.h>
#include <raddle.h>
int main(void) {
    int n = raddle_any_in(0, 100), s = 0;
    for (int i = 0; i < n; i++) s += 2;
    assert(s == 2 * n);
}
";
