//! The explicit-state engine: every reachable state of a program, once.
//!
//! See the README for what it proves and what it misses. [`explore`] is the face; one technique a file behind it.

mod alone;
mod ample;
mod answers;
mod breadth;
mod depth;
mod dictionary;
mod expand;
mod growth;
mod look_ahead;
mod lookout;
mod matching;
mod meter;
mod narrow;
mod pairs;
mod path;
mod patterns;
mod plain;
mod prefetch;
mod remembered;
mod search;
mod sections;
mod sleep;
mod space;
mod stand;
mod strides;
mod symmetry;
mod temporal;
mod tree;
mod unordered;
mod watch_expressions;
mod weak_fairness;
mod worker;

pub use answers::Sample;
pub use expand::Finding;
pub use search::{Config, Discovery, Explored, Order, Stop, Storage, explore};
pub use sections::Gap;
pub use temporal::{Question, Runs, RunsSearched, search_runs};
