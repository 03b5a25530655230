//! Initial states and targets as text: `s|l1,l2`, `s/l`, `s|a,b/c,d`, and what bfc takes for the same.

use super::system::{Initial, LocalState, SharedState, Target};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// Why a text is no state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StateTextError {
    /// In characters, from 1; one past the end where the text ends too early.
    pub column: usize,
    pub message: String,
}

impl fmt::Display for StateTextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "column {}: {}", self.column, self.message)
    }
}

impl std::error::Error for StateTextError {}

/// An initial state. Whether the system has these states is not checked.
pub fn read_initial(text: &str) -> Result<Initial, StateTextError> {
    match text.trim() {
        "single" => return read_initial("0|0"),
        "unbounded" => return read_initial("0/0"),
        _ => {}
    }
    let state = StateText::read(text)?;
    if state.exactly.is_none() && state.any.is_none() {
        return Err(state.ends_early("expected `|` and threads, or `/` and local states, such as 0|0,1/2"));
    }
    Ok(Initial {
        shared: state.shared,
        exactly: counted(state.exactly.unwrap_or_default()),
        any: BTreeSet::from_iter(state.any.unwrap_or_default()),
    })
}

/// A state to cover. Whether the system has these states is not checked.
pub fn read_target(text: &str) -> Result<Target, StateTextError> {
    let state = StateText::read(text)?;
    if state.any.is_some() {
        let column = 1 + text.chars().take_while(|c| !matches!(c, '/' | 'U')).count();
        let message = "a target has finitely many threads: no `/`".into();
        return Err(StateTextError { column, message });
    }
    match state.exactly {
        Some(threads) => Ok(Target { shared: state.shared, threads: counted(threads) }),
        None => Err(state.ends_early("expected `|` and the threads to cover, such as 1|2,2")),
    }
}

fn counted(locals: Vec<LocalState>) -> BTreeMap<LocalState, u32> {
    let mut counts = BTreeMap::new();
    for local in locals {
        *counts.entry(local).or_insert(0) += 1;
    }
    counts
}

/// `shared [| locals] [/ locals]`.
struct StateText {
    shared: SharedState,
    exactly: Option<Vec<LocalState>>,
    any: Option<Vec<LocalState>>,
    length: usize,
}

impl StateText {
    fn read(text: &str) -> Result<StateText, StateTextError> {
        let letters: Vec<char> = text.chars().collect();
        let mut reader = Reader { letters: &letters, at: 0 };
        let shared = SharedState(reader.number("the number of a shared state")?);
        let exactly = if reader.takes(&['|', 'B']) { Some(reader.locals()?) } else { None };
        let any = if reader.takes(&['/', 'U']) { Some(reader.locals()?) } else { None };
        reader.skip_blanks();
        match letters.get(reader.at) {
            None => Ok(StateText { shared, exactly, any, length: letters.len() }),
            Some(letter) => Err(reader.error(format!("unexpected `{}`", letter.escape_default()))),
        }
    }

    fn ends_early(&self, message: &str) -> StateTextError {
        StateTextError { column: self.length + 1, message: message.into() }
    }
}

struct Reader<'a> {
    letters: &'a [char],
    at: usize,
}

impl Reader<'_> {
    fn error(&self, message: String) -> StateTextError {
        StateTextError { column: self.at + 1, message }
    }

    fn skip_blanks(&mut self) {
        while self.letters.get(self.at).is_some_and(|c| c.is_whitespace()) {
            self.at += 1;
        }
    }

    fn takes(&mut self, wanted: &[char]) -> bool {
        self.skip_blanks();
        let found = self.letters.get(self.at).is_some_and(|c| wanted.contains(c));
        self.at += usize::from(found);
        found
    }

    fn number(&mut self, what: &str) -> Result<u32, StateTextError> {
        self.skip_blanks();
        let start = self.at;
        while self.letters.get(self.at).is_some_and(char::is_ascii_digit) {
            self.at += 1;
        }
        let digits: String = self.letters[start..self.at].iter().collect();
        let found = digits.parse();
        if found.is_err() {
            self.at = start;
        }
        found.map_err(|_| match digits.is_empty() {
            true => self.error(format!("expected {what}")),
            false => self.error(format!("expected {what}; this exceeds the maximum")),
        })
    }

    /// Possibly none.
    fn locals(&mut self) -> Result<Vec<LocalState>, StateTextError> {
        self.skip_blanks();
        let mut locals = Vec::new();
        if !self.letters.get(self.at).is_some_and(char::is_ascii_digit) {
            return Ok(locals);
        }
        loop {
            locals.push(LocalState(self.number("the number of a local state")?));
            if !self.takes(&[',']) {
                return Ok(locals);
            }
        }
    }
}

impl fmt::Display for Initial {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.shared)?;
        if !self.exactly.is_empty() || self.any.is_empty() {
            f.write_str("|")?;
            write_threads(f, &self.exactly)?;
        }
        for (position, local) in self.any.iter().enumerate() {
            write!(f, "{}{local}", if position == 0 { "/" } else { "," })?;
        }
        Ok(())
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}|", self.shared)?;
        write_threads(f, &self.threads)
    }
}

fn write_threads(f: &mut fmt::Formatter<'_>, threads: &BTreeMap<LocalState, u32>) -> fmt::Result {
    let mut first = true;
    for (local, count) in threads {
        for _ in 0..*count {
            write!(f, "{}{local}", if first { "" } else { "," })?;
            first = false;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn initial_states_round_trip() {
        for text in ["0/0", "0|0", "3|1,1,2/4,7", "5|", "0|7/7"] {
            assert_eq!(read_initial(text).map(|i| i.to_string()), Ok(text.to_string()));
        }
        for (other, text) in [
            ("single", "0|0"),
            (" unbounded ", "0/0"),
            ("0BU0,4", "0/0,4"),
            ("1|/2", "1/2"),
            ("0 | 2 , 1", "0|1,2"),
        ] {
            assert_eq!(read_initial(other).map(|i| i.to_string()), Ok(text.to_string()), "{other}");
        }
    }

    #[test]
    fn targets_round_trip() {
        for text in ["0|0", "12|3,3,3", "1|"] {
            assert_eq!(read_target(text).map(|t| t.to_string()), Ok(text.to_string()));
        }
        assert_eq!(read_target("1B2,2").map(|t| t.to_string()), Ok("1|2,2".to_string()));
    }

    #[test]
    fn refusals_name_the_column() {
        let column = |text: &str| read_target(text).map_err(|e| e.column);
        assert_eq!(column(""), Err(1));
        assert_eq!(column("3"), Err(2));
        assert_eq!(column("3|1,"), Err(5));
        assert_eq!(column("3|1x"), Err(4));
        assert_eq!(column("3|1/2"), Err(4));
        assert_eq!(column("4294967296|1"), Err(1));
        assert_eq!(read_initial("7").map_err(|e| e.column), Err(2));
        assert_eq!(read_initial("-1/0").map_err(|e| e.column), Err(1));
    }
}
