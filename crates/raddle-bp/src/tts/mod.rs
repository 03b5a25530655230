//! Thread transition systems: arbitrarily many threads with a local state each, and one shared state.
