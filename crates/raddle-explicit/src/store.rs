//! Stored states and cached steps: components and their numbers (collapse compression), vectors folded into a tree
//! (tree compression), outcomes of steps (transition cache).

pub mod bitstate;
pub mod component_dictionary;
pub mod hash_compaction;
pub mod pair_table;
pub mod prefetch;
pub mod seen_states;
pub mod transition_cache;
pub mod transitions;
pub mod tree_compression;
