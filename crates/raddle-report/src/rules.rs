//! The rules of a SARIF report: what each property means and what usually helps, for the reader who has only the finding.

use raddle_trace::Property;

/// What to do about a violation of the property, in a few sentences.
pub(crate) fn help(property: &Property) -> &'static str {
    match property {
        Property::Assert => {
            "An assertion fails, or an error function is reached, in the interleaving of the code flow. Look for a value that \
             another thread changed between two accesses which belong together, and put them under one lock or into one \
             atomic operation."
        }
        Property::Race => {
            "Two threads access the same bytes, at least one writes, and no happens-before edge orders the accesses: the \
             behaviour of the program is undefined. Hold one common lock at both accesses, make both atomic, or order them by \
             creation, join or another synchronisation."
        }
        Property::Deadlock => {
            "The threads of the code flow wait for each other, or for a signal that does not come. Take locks in one order \
             everywhere; signal a condition variable after its condition was set under its mutex, and wait in a loop that \
             tests the condition."
        }
        Property::Memsafety => {
            "An access through a null, dangling or out-of-bounds pointer, an invalid free, or a use of an uninitialised value. \
             Where an object is shared, it may be freed only after all its users have finished: join them, or count \
             references."
        }
        Property::Overflow => {
            "A signed operation overflows, a division has the divisor zero, or a shift is out of range. Test the operands \
             before the operation, or use an unsigned or wider type."
        }
        Property::Locks => {
            "A lock or thread is misused: unlocked by a thread that does not hold it, destroyed while held, locked twice, \
             joined twice. POSIX leaves the behaviour undefined."
        }
        Property::Leak => {
            "A heap object is reachable from no pointer when the process ends. Free it before the last pointer to it goes."
        }
        Property::Termination => {
            "The cycle at the end of the code flow repeats for ever although every enabled thread runs again and again. \
             Change the condition that the loop waits for, or wait at a lock or condition variable."
        }
        Property::Ltl(_) => {
            "The run of the code flow, infinite or with its last state repeated, violates the formula."
        }
        Property::Invariant(_) => {
            "The expression is false after the last step of the code flow. It is evaluated after every visible operation; \
             where several belong together, put them into an atomic section or under a lock that the invariant mentions."
        }
        Property::Target => {
            "The target of the thread transition system is covered by the state at the end of the code flow."
        }
    }
}
