//! Any text as a thread transition system: it is refused, or printed and read as the same; as an initial state and as a
//! target too.

#![no_main]

use libfuzzer_sys::fuzz_target;
use raddle_bp::tts::{read, read_initial, read_target, write};

fuzz_target!(|input: &str| {
    if let Ok(initial) = read_initial(input) {
        assert_eq!(read_initial(&initial.to_string()), Ok(initial));
    }
    if let Ok(target) = read_target(input) {
        assert_eq!(read_target(&target.to_string()), Ok(target));
    }
    let Ok(system) = read(input) else { return };
    let printed = write(&system);
    match read(&printed) {
        Ok(mut again) => {
            for (there, here) in again.transitions.iter_mut().zip(&system.transitions) {
                there.line = here.line;
            }
            assert!(again == system, "another system after printing:\n{printed}");
        }
        Err(error) => panic!("what was printed is not read: {error}\n{printed}"),
    }
});
