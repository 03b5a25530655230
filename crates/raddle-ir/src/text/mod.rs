//! Text form (printer and parser).
