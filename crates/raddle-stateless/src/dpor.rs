//! Optimal dynamic partial order reduction (optimal DPOR): every class of executions (Mazurkiewicz trace) is explored
//! once. Flanagan, Godefroid, *Dynamic Partial-Order Reduction for Model Checking Software*, POPL 2005; optimality:
//! Abdulla, Aronis, Jonsson, Sagonas, *Optimal Dynamic Partial Order Reduction*, POPL 2014. In place of their source sets
//! and wakeup trees is a rule like that of TruSt (`dpor/reversal.rs`), by which memory does not grow with the number of
//! executions.
//!
//! **Which executions there are.** Executions that differ only in the order of adjacent independent events are one
//! class, and a class is a set of events with the order in which dependent ones happen. At a node the scheduler names
//! an enabled thread *p*; it is a function of the path. Every class that contains what has happened so far either
//! contains *p*'s next event, with a certain past, or disables *p* by some first event. This one fact divides the
//! classes, and no class is in two parts; a part has no negative condition ("and *e* does not happen"), so every node
//! leads to an execution that is not explored elsewhere, and nothing is ever given up halfway.
//!
//! **How the parts are found.** The first part is that *p*'s event happens at once. Every other part is found where
//! some event is executed behind *p*'s that could have come before it: `dpor/reversal.rs` says at which path, so that
//! it is found once. It is explored at once, while the path that found it waits. Along a chain of waiting paths the
//! events that nodes bring along are more and more, so there are never more waiting paths than an execution has
//! events: memory does not grow with the number of executions.
//!
//! **Disabled threads.** A thread that is blocked where no thread is enabled has an event that did not happen; it is
//! treated like one that did, since it might have come earlier. That is how executions that deadlock lead to those
//! that do not.
//!
//! What it misses: loops without end are cut at a limit of events unless they only wait (`await_loop.rs`), and the
//! order of events that an operation of the library makes observable only through its own result is the models' (the
//! table in this crate's README).

pub mod checkpoint;
pub mod class_hash;
pub mod clock;
pub mod event;
pub mod explore;
pub mod hypothetical_footprint;
pub mod nodes;
pub mod path;
pub mod reversal;
pub mod scheduler;
