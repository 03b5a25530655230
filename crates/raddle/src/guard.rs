//! The last line of defence: a panic anywhere becomes one message that says it is an error of raddle and what to
//! report, and exit code 70.

use std::panic::{self, AssertUnwindSafe};
use std::sync::Mutex;

/// Internal error.
pub const INTERNAL: u8 = 70;

/// What the first panic said, and where. Later ones are usually its consequences.
static FIRST_PANIC: Mutex<Option<String>> = Mutex::new(None);

/// Runs `body`; a panic in it, or in a thread that it waits for, gives 70.
pub fn run_guarded(body: impl FnOnce() -> u8) -> u8 {
    panic::set_hook(Box::new(|info| {
        let text = match std::env::var_os("RUST_BACKTRACE") {
            Some(_) => format!("{info}\n{}", std::backtrace::Backtrace::force_capture()),
            None => info.to_string(),
        };
        if let Ok(mut first) = FIRST_PANIC.lock() {
            first.get_or_insert(text);
        }
    }));
    match panic::catch_unwind(AssertUnwindSafe(body)) {
        Ok(code) => code,
        Err(_) => {
            let details = FIRST_PANIC.lock().ok().and_then(|first| first.clone()).unwrap_or_default();
            internal_error(&details);
            INTERNAL
        }
    }
}

/// Says that it is an error of raddle.
pub fn internal_error(details: &str) {
    crate::terminal::complain(&format!(
        "internal error: this is a fault of raddle, not of your program\n  {}\n\
         please report it with this message, the command line, the input, and `raddle --version` ({}); \
         RUST_BACKTRACE=1 adds where it happened",
        details.replace('\n', "\n  "),
        env!("CARGO_PKG_VERSION"),
    ));
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_panic_is_an_internal_error() {
        assert_eq!(super::run_guarded(|| panic!("on purpose")), super::INTERNAL);
        assert_eq!(super::run_guarded(|| 2), 2);
    }

    /// As the engines do when a worker panics: its panic goes on in the thread that waits for it.
    #[test]
    fn a_panic_of_a_worker_is_an_internal_error() {
        let search = || {
            let worker = std::thread::spawn(|| panic!("on purpose"));
            std::panic::resume_unwind(worker.join().expect_err("it panics"))
        };
        assert_eq!(super::run_guarded(search), super::INTERNAL);
    }
}
