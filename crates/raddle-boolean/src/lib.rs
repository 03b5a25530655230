//! Engines over Boolean programs and thread transition systems, after Basler, *Model checking Boolean programs* (2010).

pub mod tts;
