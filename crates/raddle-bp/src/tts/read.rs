//! The reader of `.tts` text. It goes line by line and allocates for what is written, never for what the header claims.

use super::state_text::read_target;
use super::system::{Effect, LocalState, SharedState, System, Transition};
use rustc_hash::FxHashMap;
use std::fmt;

/// Why a text is no thread transition system.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReadError {
    /// From 1.
    pub line: u32,
    /// In characters, from 1; one past the end of a line that ends too early.
    pub column: u32,
    pub message: String,
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.line, self.column, self.message)
    }
}

impl std::error::Error for ReadError {}

/// Reads a whole file.
pub fn read(text: &str) -> Result<System, ReadError> {
    let mut system: Option<System> = None;
    let mut broadcasts = FxHashMap::default();
    let mut line_number = 0;
    for (position, whole) in text.lines().enumerate() {
        line_number = u32::try_from(position + 1).unwrap_or(u32::MAX);
        let code = whole.split('#').next().unwrap_or_default();
        let mut line = Line { text: code, at: 0, number: line_number };
        line.skip_blanks();
        if line.rest().is_empty() {
            continue;
        }
        match &mut system {
            None => system = Some(header(&mut line)?),
            Some(system) if code.contains(['|', 'B']) => target(&mut line, system)?,
            Some(system) => transition(&mut line, system, &mut broadcasts)?,
        }
    }
    system.iter_mut().for_each(admit_target);
    for transition in system.iter_mut().flat_map(|s| &mut s.transitions) {
        transition.passive.sort_unstable();
        transition.passive.dedup();
    }
    system.ok_or_else(|| ReadError {
        line: line_number + 1,
        column: 1,
        message: "expected the numbers of shared and local states, such as `2 5`; there is nothing".into(),
    })
}

fn header(line: &mut Line) -> Result<System, ReadError> {
    let mut count = |what: &str| {
        let column = line.column();
        let number = line.number(&format!("the number of {what} states"))?;
        if number == 0 {
            return Err(line.error_at(column, format!("there must be at least one {what} state")));
        }
        Ok(number)
    };
    let (shared, local) = (count("shared")?, count("local")?);
    line.end("the header is two numbers")?;
    Ok(System { shared, local, transitions: Vec::new(), target: None })
}

fn target(line: &mut Line, system: &mut System) -> Result<(), ReadError> {
    let indent = line.column();
    let target = read_target(line.rest()).map_err(|error| {
        let column = indent + u32::try_from(error.column).unwrap_or(u32::MAX) - 1;
        line.error_at(column, error.message)
    })?;
    if system.target.is_some() {
        return Err(line.error_at(indent, "a second target; there can be only one".into()));
    }
    // One more is the number of states that makes room for it.
    let numbers = target.threads.keys().map(|local| local.0).chain([target.shared.0]);
    if numbers.max() == Some(u32::MAX) {
        return Err(line.error_at(indent, "the target names a state whose number exceeds the maximum".into()));
    }
    system.target = Some(target);
    Ok(())
}

/// BFC's files have targets in states that the header does not count and that no edge has: they are never covered. Such
/// a state exists then, so that one that an edge or the initial state names beyond the header is still refused.
fn admit_target(system: &mut System) {
    if let Some(target) = &system.target {
        system.shared = system.shared.max(target.shared.0 + 1);
        let last = target.threads.keys().map(|local| local.0 + 1).max();
        system.local = system.local.max(last.unwrap_or(0));
    }
}

fn transition(
    line: &mut Line,
    system: &mut System,
    broadcasts: &mut FxHashMap<(SharedState, SharedState), usize>,
) -> Result<(), ReadError> {
    let from = line.shared(system)?;
    let source = line.local(system)?;
    let column = line.column();
    let arrow = line.word();
    if !matches!(arrow, "->" | "+>" | "~>") {
        let found = if arrow.is_empty() { "the end of the line".into() } else { quoted(arrow) };
        return Err(line.error_at(column, format!("expected `->`, `+>` or `~>`, found {found}")));
    }
    let to = line.shared(system)?;
    let result = line.local(system)?;
    let number = line.number;
    if arrow == "~>" {
        line.end("a broadcast is `s l ~> s' l'`; further passive moves have lines of their own")?;
        let known = *broadcasts.entry((from, to)).or_insert_with(|| {
            let (effect, passive) = (Effect::Broadcast, Vec::new());
            system.transitions.push(Transition { from, to, effect, passive, line: number });
            system.transitions.len() - 1
        });
        system.transitions[known].passive.push((source, result));
        return Ok(());
    }
    if arrow == "+>" {
        line.end("a spawn has no passive moves")?;
        let effect = Effect::Spawn { parent: source, child: result };
        system.transitions.push(Transition { from, to, effect, passive: Vec::new(), line: number });
        return Ok(());
    }
    let mut passive = Vec::new();
    while !line.is_done() {
        let before = line.local(system)?;
        let column = line.column();
        let arrow = line.word();
        if arrow != "~>" {
            let found = if arrow.is_empty() { "the end of the line".into() } else { quoted(arrow) };
            return Err(line.error_at(column, format!("expected `~>` of a passive move, found {found}")));
        }
        passive.push((before, line.local(system)?));
    }
    let effect = Effect::Move { before: source, after: result };
    system.transitions.push(Transition { from, to, effect, passive, line: number });
    Ok(())
}

/// A word of the input, short enough for a message.
fn quoted(word: &str) -> String {
    let short: String = word.chars().take(20).flat_map(char::escape_default).collect();
    format!("`{short}{}`", if word.chars().nth(20).is_some() { "..." } else { "" })
}

struct Line<'a> {
    text: &'a str,
    /// In bytes.
    at: usize,
    number: u32,
}

impl<'a> Line<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn skip_blanks(&mut self) {
        self.at = self.text.len() - self.rest().trim_start().len();
    }

    fn is_done(&mut self) -> bool {
        self.skip_blanks();
        self.rest().is_empty()
    }

    /// Of the next word.
    fn column(&mut self) -> u32 {
        self.skip_blanks();
        u32::try_from(self.text[..self.at].chars().count() + 1).unwrap_or(u32::MAX)
    }

    fn error_at(&self, column: u32, message: String) -> ReadError {
        ReadError { line: self.number, column, message }
    }

    /// Up to the next blank; empty at the end.
    fn word(&mut self) -> &'a str {
        self.skip_blanks();
        let rest = self.rest();
        let word = rest.split(char::is_whitespace).next().unwrap_or_default();
        self.at += word.len();
        word
    }

    fn number(&mut self, what: &str) -> Result<u32, ReadError> {
        let before = self.at;
        let word = self.word();
        let digits = !word.is_empty() && word.bytes().all(|b| b.is_ascii_digit());
        match word.parse() {
            Ok(number) if digits => Ok(number),
            _ => {
                self.at = before;
                let column = self.column();
                let found = match word {
                    "" => "the end of the line".to_string(),
                    _ if digits => format!("{}, which exceeds the maximum", quoted(word)),
                    _ => quoted(word),
                };
                Err(self.error_at(column, format!("expected {what}, found {found}")))
            }
        }
    }

    fn shared(&mut self, system: &System) -> Result<SharedState, ReadError> {
        let column = self.column();
        let number = self.number("the number of a shared state")?;
        if number < system.shared {
            return Ok(SharedState(number));
        }
        Err(self.error_at(column, format!("shared state {number}, but there are only {}", system.shared)))
    }

    fn local(&mut self, system: &System) -> Result<LocalState, ReadError> {
        let column = self.column();
        let number = self.number("the number of a local state")?;
        if number < system.local {
            return Ok(LocalState(number));
        }
        Err(self.error_at(column, format!("local state {number}, but there are only {}", system.local)))
    }

    fn end(&mut self, rule: &str) -> Result<(), ReadError> {
        if self.is_done() {
            return Ok(());
        }
        let (column, word) = (self.column(), self.word());
        Err(self.error_at(column, format!("unexpected {}: {rule}", quoted(word))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tts::print::write;

    #[test]
    fn every_form_is_read() {
        let text = "\
# a comment
2 5   # numbers of states
0 0 -> 1 1
1 1 +> 0 2
 1\t2 -> 0 3 4 ~> 0 3 ~> 3 3 ~> 1

0 1 ~> 1 2
0 3 ~> 1 4
1|2,2
";
        let system = read(text).unwrap();
        assert_eq!((system.shared, system.local, system.transitions.len()), (2, 5, 4));
        assert_eq!(system.transitions[2].line, 5);
        let moves =
            |n: usize| system.transitions[n].passive.iter().map(|(a, b)| (a.0, b.0)).collect::<Vec<_>>();
        assert_eq!(moves(2), [(3, 1), (3, 3), (4, 0)]);
        // The two broadcasts with the same shared states are one.
        assert_eq!(system.transitions[3].effect, Effect::Broadcast);
        assert_eq!(moves(3), [(1, 2), (3, 4)]);
        assert_eq!(system.target.as_ref().map(|t| t.to_string()), Some("1|2,2".into()));
        assert!(system.has_passive_moves());
        // What is printed is read as the same.
        let mut again = read(&write(&system)).unwrap();
        for (there, here) in again.transitions.iter_mut().zip(&system.transitions) {
            there.line = here.line;
        }
        assert_eq!(again, system);
    }

    #[test]
    fn line_ends_of_windows() {
        let system = read("2 2\r\n0 0 -> 1 1\r\n1|1\r\n").unwrap();
        assert_eq!((system.transitions.len(), system.target.is_some()), (1, true));
    }

    #[test]
    fn targets_beyond_the_header_make_room() {
        let system = read("2 2\n0 0 -> 1 1\n3|5\n").unwrap();
        assert_eq!((system.shared, system.local), (4, 6));
    }

    #[test]
    fn absurd_headers_allocate_nothing() {
        let system = read("4294967295 4294967295\n4294967294 0 -> 0 4294967294\n").unwrap();
        assert_eq!(system.transitions.len(), 1);
    }

    #[test]
    fn refusals_name_line_and_column() {
        for (text, line, column, part) in [
            ("", 1, 1, "nothing"),
            ("# only this\n", 2, 1, "nothing"),
            ("2", 1, 2, "local states, found the end"),
            ("2 0", 1, 3, "at least one local"),
            ("2 x", 1, 3, "found `x`"),
            ("2 99999999999", 1, 3, "exceeds the maximum"),
            ("2 2 2", 1, 5, "the header is two numbers"),
            ("2 2\n0 0 -> 2 0", 2, 8, "shared state 2, but there are only 2"),
            ("2 2\n0 7 -> 1 0", 2, 3, "local state 7"),
            ("2 2\n0 0 => 1 0", 2, 5, "found `=>`"),
            ("2 2\n0 0", 2, 4, "the end of the line"),
            ("2 2\n0 0 -> 1", 2, 9, "found the end"),
            ("2 2\n0 0 -> 1 1 0", 2, 13, "expected `~>`"),
            ("2 2\n0 0 -> 1 1 0 -> 1", 2, 14, "expected `~>`"),
            ("2 2\n0 0 +> 1 1 0 ~> 1", 2, 12, "a spawn has no passive moves"),
            ("2 2\n0 0 ~> 1 1 0 ~> 1", 2, 12, "lines of their own"),
            ("2 2\n  1|4294967295", 2, 3, "exceeds the maximum"),
            ("2 2\n1|5\n0 5 -> 1 1", 3, 3, "local state 5"),
            ("2 2\n1|0\n1|1", 3, 1, "second target"),
            ("2 2\n 1|0,", 2, 6, "expected the number of a local state"),
            ("2 2\n-1 0 -> 0 0", 2, 1, "found `-1`"),
            ("2 2\n+1 0 -> 0 0", 2, 1, "found `+1`"),
            ("2 2\nλλ 0 -> 0 0", 2, 1, "found"),
        ] {
            let error = read(text).expect_err(text);
            assert_eq!((error.line, error.column), (line, column), "{text:?}: {error}");
            assert!(error.message.contains(part), "{text:?}: {error}");
        }
    }
}
