//! What is kept of states and steps: components and their numbers, vectors folded into a tree, outcomes of steps.

pub mod bitstate;
pub mod component_dictionary;
pub mod hash_compaction;
pub mod pair_table;
pub mod prefetch;
pub mod seen_states;
pub mod transition_cache;
pub mod transitions;
pub mod tree_compression;
