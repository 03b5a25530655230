//! Kernel operations in one abstract state: sections, threads that are created, memory that the library touches.
//!
//! What is recorded as an access is what the race monitor (`raddle-machine`) compares: `touch` and `atomic` inside a section,
//! `free`, `resize`, output and formatting outside. Acquire and release markers are not read: what they order is what locks,
//! creation and join are declared to order.

use raddle_analysis::ObjectKind;
use raddle_ir::{FunctionId, KernelOp, Operand, Register};

use crate::atomicity::notes::Steps;
use crate::interpret::{Context, Interpreter};
use crate::program_facts::printed;
use crate::record::Point;
use crate::state::State;
use crate::step::{Touch, user};
use crate::threads::{Child, Given, MOST_AT_ONE_SITE, ThreadKey};
use crate::value::{Base, Value};

/// The marker of a join (`raddle-clang/models/kernel.h`).
const JOIN: u64 = 8;
/// Markers that count as a write of the lock's first byte.
const LOCK: i64 = 1;
const READ_LOCK: i64 = 2;
const UNLOCK: i64 = 3;
/// Threads in threads.
const MOST_DEEP: usize = 6;

impl Interpreter<'_> {
    /// False: the path ends here.
    pub fn kernel(
        &mut self,
        context: &Context,
        at: Point,
        (op, destination, arguments): (KernelOp, Option<Register>, &[Operand]),
        state: &mut State,
    ) -> bool {
        let function = at.0;
        let number = |this: &Self, state: &State, i: usize| this.number(state, function, arguments[i]);
        let touch = |address: Operand, length: Option<u64>, write: bool| Touch {
            address,
            length: length.map(|n| n as i64),
            write,
            atomic: false,
            visible: true,
            zeros: false,
            nominal: false,
            steps: Steps::Many,
        };
        self.note_kernel(context, at, (op, arguments), state);
        self.note_queries(at, (op, arguments), state);
        match op {
            KernelOp::Begin => state.world.in_section = true,
            KernelOp::End => state.world.in_section = false,
            KernelOp::Block => return false,
            KernelOp::Spawn => return self.spawn(context, at, destination, arguments, state),
            KernelOp::AtomicBegin => state.world.sections = state.world.sections.saturating_add(1),
            KernelOp::AtomicEnd => state.world.sections = state.world.sections.saturating_sub(1),
            KernelOp::Touch => {
                let length = number(self, state, 1);
                let writes = number(self, state, 2) != Some(0);
                // Judged like an access outside the section; the bytes stay as they are.
                let inside = std::mem::replace(&mut state.world.in_section, false);
                let access = Touch {
                    atomic: !writes,
                    nominal: true,
                    steps: Steps::Mark,
                    ..touch(arguments[0], length, writes)
                };
                self.access(context, at, state, &access);
                state.world.in_section = inside;
            }
            KernelOp::Atomic => {
                let length = number(self, state, 1);
                let writes = number(self, state, 2) != Some(0);
                let inside = std::mem::replace(&mut state.world.in_section, false);
                let access =
                    Touch { atomic: true, steps: Steps::OfSection, ..touch(arguments[0], length, writes) };
                self.access(context, at, state, &access);
                state.world.in_section = inside;
            }
            KernelOp::Event if number(self, state, 0) == Some(JOIN) && !context.joining => {
                self.noted.joining.insert(context.thread);
            }
            KernelOp::Assume => return number(self, state, 0).is_none_or(|n| n as u32 != 0),
            // A failed assertion and a memory fault end the run.
            KernelOp::Fault => return !matches!(number(self, state, 0), Some(1 | 3)),
            KernelOp::Unsupported => {
                self.obstacle("a library function is used in a way that is not supported", user(context, at));
                return false;
            }
            KernelOp::Free => {
                // No later access to the bytes is without a memory fault: what is known of them need not change.
                let access = Touch { nominal: true, steps: Steps::One, ..touch(arguments[0], None, true) };
                self.access(context, at, state, &access);
                if self.spans.is_some() {
                    let value = self.get(state, at.0, arguments[0]);
                    let targets = self.targets(at.0, arguments[0], value);
                    self.note_free(context, at, value, &targets, state.world.in_section);
                }
            }
            KernelOp::Resize => {
                self.access(
                    context,
                    at,
                    state,
                    &Touch { steps: Steps::One, ..touch(arguments[0], None, true) },
                );
            }
            KernelOp::Print | KernelOp::Format => {
                let (format, list) = match op {
                    KernelOp::Print => (arguments[1], arguments[2]),
                    _ => (arguments[2], arguments[3]),
                };
                self.access(context, at, state, &touch(format, None, false));
                let Some((follows, writes)) = self.conversions(state, function, format) else {
                    self.obstacle(
                        "a format that is no string constant, or has other conversions",
                        user(context, at),
                    );
                    return false;
                };
                if follows {
                    let value = self.get(state, function, list);
                    let read = printed(self.objects, &self.targets(function, list, value));
                    let values = touch(list, None, writes);
                    self.access_to(context, at, state, (Value::Unknown, read), &values);
                }
                if op == KernelOp::Format {
                    self.access(context, at, state, &touch(arguments[0], None, true));
                }
            }
            KernelOp::Output => {
                let length = number(self, state, 2);
                self.access(context, at, state, &touch(arguments[1], length, false));
            }
            KernelOp::Alloc | KernelOp::AllocAligned => {
                let object = self.objects.at_site(function, at.1).expect("every allocation is a site");
                let base = self.made_at(object);
                state.forget(&self.symbols, Base::Instance(object));
                if let Some(register) = destination {
                    state.registers[register.index()] = Value::of(base);
                }
                return true;
            }
            KernelOp::HasEvent => {
                if let (Some(register), Some(event)) = (destination, number(self, state, 0)) {
                    let has = event < 64 && self.facts.events >> event & 1 == 1;
                    state.registers[register.index()] = Value::Number(has as u64);
                    return true;
                }
            }
            _ => {}
        }
        if let Some(register) = destination {
            self.define(at, 0, register, state);
        }
        true
    }

    /// Bytes that an operation reads or writes for the reductions, without being race-checked
    /// (`raddle-machine/src/monitors/footprint.rs`).
    fn note_queries(&mut self, at: Point, (op, arguments): (KernelOp, &[Operand]), state: &State) {
        if self.spans.is_none() {
            return;
        }
        let number = |i: usize| self.number(state, at.0, arguments[i]).map(|n| n as i64);
        let of_lock = |event: i64| [LOCK, READ_LOCK, UNLOCK].contains(&event);
        let queries: Vec<(usize, Option<i64>, bool)> = match op {
            KernelOp::Event if number(0).is_none_or(of_lock) => vec![(1, Some(1), true)],
            KernelOp::Holds | KernelOp::Held | KernelOp::ObjectSize => vec![(0, Some(1), false)],
            KernelOp::IsDeterminate | KernelOp::Writable => vec![(0, number(1), false)],
            KernelOp::Same => vec![(0, number(2), false), (1, number(2), false)],
            _ => Vec::new(),
        };
        for (argument, length, write) in queries {
            let value = self.get(state, at.0, arguments[argument]);
            let targets = self.targets(at.0, arguments[argument], value);
            self.note_query(value, &targets, (length, write));
        }
    }

    fn spawn(
        &mut self,
        context: &Context,
        at: Point,
        destination: Option<Register>,
        arguments: &[Operand],
        state: &mut State,
    ) -> bool {
        let body = match self.get(state, at.0, arguments[0]) {
            Value::Function(body) if self.objects.is_body(body) => body,
            _ => {
                self.obstacle("a thread is started in a way that is not known", user(context, at));
                return false;
            }
        };
        let Some(creation) = context.creation.clone() else {
            self.obstacle("a thread is started by a function that does not declare it", user(context, at));
            return false;
        };
        let site = creation.site;
        let count = match state.world.created.binary_search_by_key(&site, |(s, _)| *s) {
            Ok(i) => {
                state.world.created[i].1 = state.world.created[i].1.saturating_add(1);
                state.world.created[i].1 - 1
            }
            Err(i) => {
                state.world.created.insert(i, (site, 1));
                0
            }
        };
        let ordinal = count.min(MOST_AT_ONE_SITE);
        let mut only = None;
        let before = state.world.children.clone();
        for start in &creation.starts {
            let alike = self.threads.ancestor_like(context.thread, site, *start);
            let recursive = self.assumed.recursive.contains(start);
            let thread = match alike {
                // Threads that create their own kind: all have one name.
                Some(ancestor) => {
                    self.noted.recursive.insert(*start);
                    self.threads.creates_its_kind(ancestor);
                    ancestor
                }
                None => {
                    if self.threads.depth(context.thread) > MOST_DEEP {
                        self.obstacle("threads create threads too deeply", user(context, at));
                        return false;
                    }
                    let given = if recursive { Given::Any } else { creation.given.clone() };
                    let key = ThreadKey { parent: context.thread, site, ordinal, body, start: *start, given };
                    self.thread_named(key, user(context, at))
                }
            };
            self.threads.created(thread, &before);
            let again = before.iter().any(|child| child.thread() == thread);
            if creation.starts.len() == 1 && creation.joinable && !again && alike.is_none() {
                only = Some(thread);
            }
            // Its number was that of an instance before.
            for value in state.registers.iter_mut().chain(&mut state.world.pinned) {
                if *value == Value::Thread(thread) {
                    *value = Value::Unknown;
                }
            }
            state.world.cells.retain(|_, (_, value)| *value != Value::Thread(thread));
            state.world.add_child(Child::Running(thread));
            let destroyed = self.destroyed.entry(thread).or_default();
            for place in &state.world.destroyed {
                if !destroyed.contains(place) {
                    destroyed.push(*place);
                    destroyed.sort_unstable();
                }
            }
        }
        if let Some(register) = destination {
            match only {
                Some(thread) => state.registers[register.index()] = Value::Thread(thread),
                None => self.define(at, 0, register, state),
            }
        }
        true
    }

    /// Whether a format may have conversions that follow a pointer, and such that write through one.
    fn conversions(&self, state: &State, function: FunctionId, format: Operand) -> Option<(bool, bool)> {
        let places = self.targets(function, format, self.get(state, function, format));
        let mut found = (false, false);
        for place in places.iter() {
            let ObjectKind::Global(global) = self.objects.kind(place.object) else { return None };
            let global = self.program.global(global);
            let from = usize::try_from(place.offset).ok()?;
            if !global.constant || global.external {
                return None;
            }
            let of_text = conversions_of(global.initializer.bytes.get(from..).unwrap_or_default())?;
            found = (found.0 || of_text.0, found.1 || of_text.1);
        }
        Some(found)
    }
}

/// The same of a text, if all its conversions are known.
fn conversions_of(text: &[u8]) -> Option<(bool, bool)> {
    // Flags, positions, widths, precisions, lengths.
    let between = |c: &u8| b"-+ #0123456789$.*hljztLqI'".contains(c);
    let text = text.split(|c| *c == 0).next().unwrap_or_default();
    let mut found = (false, false);
    let mut at = 0;
    while let Some(percent) = text[at..].iter().position(|c| *c == b'%') {
        let first = at + percent + 1;
        let length = text[first..].iter().take_while(|c| between(c)).count();
        match text.get(first + length) {
            None => break,
            Some(b'd' | b'i' | b'o' | b'u' | b'x' | b'X' | b'b' | b'c' | b'p' | b'%') => {}
            Some(b'e' | b'E' | b'f' | b'F' | b'g' | b'G' | b'a' | b'A') => {}
            Some(b's') => found.0 = true,
            Some(b'n') => found = (true, true),
            Some(_) => return None,
        }
        at = first + length + 1;
    }
    Some(found)
}

#[cfg(test)]
mod tests {
    use super::conversions_of;

    #[test]
    fn conversions_that_follow_pointers() {
        assert_eq!(conversions_of(b"%d %-08.3lf%% %c %p %1$d\n\0"), Some((false, false)));
        assert_eq!(conversions_of(b"%2$s\0"), Some((true, false)));
        assert_eq!(conversions_of(b"%%%.*s\0"), Some((true, false)));
        assert_eq!(conversions_of(b"%1$d%2$n\0"), Some((true, true)));
        assert_eq!(conversions_of(b"%%n %%%n\0"), Some((true, true)));
        assert_eq!(conversions_of(b"100%%no\0%n"), Some((false, false)));
        assert_eq!(conversions_of(b"%v\0"), None);
    }
}
