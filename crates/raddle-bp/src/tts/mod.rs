//! Thread transition systems (`.tts`): arbitrarily many threads with a local state each, and one shared state.
//!
//! The format is that of the coverability checker bfc (Kaiser, Kroening, Wahl: *Efficient coverability analysis by
//! proof minimization*, CONCUR 2012). Its sources (`Net::Net` in `net.cc`, `Pre` in `minbw.cc`, the state texts in
//! `ostate.cc` and `bstate.cc`) were read for what they accept and mean; this is what was learnt:
//!
//! ```text
//! # a comment, to the end of the line
//! S L                          numbers of shared and of local states
//! s l -> s' l'                 one thread in l, while the shared state is s, moves to l'; the shared state becomes s'
//! s l -> s' l' a ~> b c ~> d   and every *other* thread that is in a goes to b, in c to d
//! s l +> s' l'                 one thread in l stays in l, a new thread starts in l', the shared state becomes s'
//! s l ~> s' l'                 no thread in particular: the shared state becomes s', all threads in l go to l'
//! s|l1,l2                      the state to cover, unless another is given
//! ```
//!
//! * A spawn is *one* step. bfc writes it as two, through a shared state that is used nowhere else, and takes the
//!   child from a pool of arbitrarily many threads; no step can come in between.
//! * Several passive moves of one local state, `a ~> b a ~> c`, let each thread in `a` choose for itself. A thread may
//!   stay only where `a ~> a` is listed; a local state that is not listed stays.
//! * Passive moves need no thread to be there: broadcasts never block.
//! * Lines `s l ~> s' l'` with the same `s` and `s'` are parts of one step, as in bfc, where they are passive moves of
//!   one transition of the pool.
//! * bfc keeps, of two lines with the same `s l -> s' l'`, only the passive moves of the last. Here each line is a
//!   transition of its own. bfc refuses passive moves of a transition that changes nothing else; here they are allowed.
//! * In the texts of states, `B` may stand for `|` and `U` for `/`; `single` is the initial state `0|0`, `unbounded` is
//!   `0/0`.
//!
//! A run starts with exactly the threads that the initial state lists, and any number in each of the local states
//! behind `/`, possibly none. A state covers the target if the shared states are the same and there are at least as
//! many threads in each local state.

mod explore;
mod interpret;
mod print;
mod read;
mod run;
mod state_text;
mod system;

pub use explore::{Explored, Found, explore, find_run};
pub use interpret::{Choice, Configuration, steps};
pub use print::write;
pub use read::{ReadError, read};
pub use run::{PlannedStep, Refusal, Run, RunStep, replay};
pub use state_text::{StateTextError, read_initial, read_target};
pub use system::{Effect, Initial, LocalState, SharedState, System, Target, Transition};
