//! Boolean programs (`.bp`) and thread transition systems (`.tts`): what they are, how they are read and written, and
//! what they mean (reference interpreters, by brute force). The engines over them are in `raddle-boolean`.

pub mod flow;
pub mod interpreter;
pub mod program;
pub mod tts;
