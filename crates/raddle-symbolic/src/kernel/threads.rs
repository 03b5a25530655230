//! Threads: their creation, their end, and the cells that say whether a thread exists and has ended.

use raddle_ir::{FunctionId, Operand, Register};
use raddle_machine::pointer::{self, ObjectName};
use raddle_solver::Term;

use super::{CREATED, FINISHED, status};
use crate::executor::{Executor, Path, Run, Spawned};
use crate::instructions::Flow;
use crate::last_step::LastStep;
use crate::removable_rounds::Rounds;
use crate::state::{Because, Counters, Guard, Section, State};
use crate::unrolling::*;

/// Threads whose number depends on the path, or is another thread's on another path, have cells and objects named by these.
pub(crate) const FIRST_RENUMBERED: u32 = 3000;
/// Numbers that one thread can have, at most.
const MOST_CASES: usize = 64;

impl Executor<'_> {
    /// Whether a value is the number of a thread, of this round or of the last. A value that may be that of a thread which
    /// is executed later here, and whose number depends on the path, ends the path.
    pub(crate) fn is_number_of(&mut self, path: &mut Path, number: Term, known: u32) -> Term {
        let low = self.d.with(|t| t.extract(number, 31, 0));
        let values = self.possible.of(&self.d, low);
        let is_possible = |number: &u64| values.as_ref().is_none_or(|values| values.contains(number));
        if let Some(thread) = self.out.threads.iter().find(|thread| thread.number == known) {
            let name = self.d.as_constant(thread.name);
            return match name.is_none_or(|name| is_possible(&name)) {
                true => self.d.equal(low, thread.name),
                false => Term::FALSE,
            };
        }
        let numbers = self.learned.numbers.get(&known).cloned().unwrap_or_default();
        let mut may_be = Term::FALSE;
        for number in numbers.iter().filter(|number| is_possible(&u64::from(**number))) {
            let name = self.d.constant(32, *number as u64);
            let is_it = self.d.equal(low, name);
            may_be = self.d.or(may_be, is_it);
        }
        if numbers.len() <= 1 || may_be == Term::FALSE {
            return may_be;
        }
        let here = self.under(path, may_be);
        self.limit(here, false, "a thread is named whose number depends on what another thread does");
        let other = self.d.not(may_be);
        self.assume(path, other, Because::Other);
        Term::FALSE
    }

    /// Whether a value is the number of a thread that was created; the cell is read.
    pub(crate) fn names_created(&mut self, path: &mut Path, number: Term, known: u32) -> Option<Term> {
        let is_it = self.is_number_of(path, number, known);
        let own = self.out.threads[self.thread.0 as usize].number;
        if is_it == Term::FALSE || known == 1 || known == own {
            return Some(is_it);
        }
        let cell = self.read_range(path, None, is_it, status(known, CREATED))?;
        let zero = self.d.with(|t| t.is_zero(cell.bits));
        Some(self.d.and(is_it, self.d.not(zero)))
    }

    /// A function of a number that has few values.
    fn map_cases(&mut self, number: Term, f: impl Fn(u32) -> u32) -> Option<Term> {
        let values = self.candidates.values(&self.d, number).filter(|values| values.len() <= MOST_CASES)?;
        let mut result = None;
        for value in values.iter() {
            let image = self.d.constant(32, f(*value as u32) as u64);
            result = Some(match result {
                None => image,
                Some(others) => {
                    let this = self.d.constant(32, *value);
                    let is_this = self.d.equal(number, this);
                    self.d.ite(is_this, image, others)
                }
            });
        }
        result
    }

    pub(crate) fn control_block(
        &mut self,
        into: Option<Register>,
        operand: Operand,
        path: &mut Path,
    ) -> Run<Flow> {
        let number = self.number(path, operand);
        let mut result = self.d.constant(64, 0);
        let mut others = Term::TRUE;
        let own = &self.out.threads[self.thread.0 as usize];
        let (own_name, own_number) = (own.name, own.number);
        if self.d.with(|t| t.extract(number, 31, 0)) == own_name {
            let block = self.blocks.iter().find(|(known, _)| *known == own_number);
            if let Some((_, block)) = block {
                self.give(path, into, *block);
                return Ok(Flow::Next);
            }
        }
        for (known, block) in self.blocks.clone() {
            let is_it = self.is_number_of(path, number, known);
            others = self.d.and(others, self.d.not(is_it));
            let Some(exists) = self.names_created(path, number, known) else { return Ok(Flow::Dead) };
            result = self.d.ite(exists, block, result);
        }
        // Threads that another one creates, which is executed later here.
        for later in self.learned.threads.clone() {
            if !self.blocks.iter().any(|(known, _)| *known == later.0) {
                let later = later.0;
                let is_it = self.is_number_of(path, number, later);
                let is_it = self.d.and(is_it, others);
                let here = self.under(path, is_it);
                self.limit(here, false, "a thread is named that another thread has created");
                let not = self.d.not(is_it);
                self.assume(path, not, Because::Other);
            }
        }
        self.give(path, into, result);
        Ok(Flow::Next)
    }

    pub(crate) fn spawn(
        &mut self,
        into: Option<Register>,
        arguments: &[Operand],
        path: &mut Path,
    ) -> Run<Flow> {
        let (body, block) = (self.number(path, arguments[0]), self.get(path, arguments[1]));
        let function = self.d.as_constant(body).map(|body| pointer::object(body).name());
        let Some(ObjectName::Function(function)) = function else {
            return self.dead(path, "a thread whose function is not constant");
        };
        let parent = self.thread;
        let parent_name = self.out.threads[parent.0 as usize].name;
        let nth = path.state.counters.children;
        let next = self.map_cases(nth, |n| n + 1);
        let name = match self.d.as_constant(parent_name) {
            Some(parent) => {
                self.map_cases(nth, |nth| raddle_machine::kernel::child_number(parent as u32, nth))
            }
            None => None,
        };
        let (Some(next), Some(name)) = (next, name) else {
            return self.dead(path, "a thread whose number is not known");
        };
        self.end_prefix(path);
        path.state.counters.children = next;
        let guard = path.state.guard.term();
        for other in self.out.threads.clone() {
            // Numbers that are mixed from the path in the tree of creations may meet, which the machine does not support.
            let same = self.d.equal(other.name, name);
            let both = self.d.and(guard, self.d.and(same, other.exists));
            self.limit(both, true, "two threads of the same number");
        }
        let taken = |n: &u32| self.out.threads.iter().any(|t| t.number == *n);
        let number = self.d.as_constant(name).map(|name| name as u32).filter(|n| !taken(n));
        let number = number.or_else(|| (FIRST_RENUMBERED..=pointer::MAX_THREAD).find(|n| !taken(n)));
        let node = path.state.section.as_ref().and_then(|section| section.node);
        let (Some(node), Some(number)) = (node, number) else {
            return self.dead(path, "too many threads");
        };
        let one = self.byte(1);
        self.write_range(path, None, Term::TRUE, status(number, CREATED), one);
        let exists = path.state.guard.term();
        let instance = self.add_thread((number, name), Some(parent), Some(node), exists);
        self.point(path, node, Term::TRUE, PointKind::Spawn(instance));
        let constant = self.d.as_constant(block.bits);
        self.learned.threads.insert(number, constant);
        let Some(names) = self.possible.of(&self.d, name) else {
            return self.dead(path, "a thread whose number is not known");
        };
        self.learned.numbers.entry(number).or_default().extend(names.iter().map(|name| *name as u32));
        // Most are waited for: otherwise each wait would take rounds of its own to be found possible.
        self.learned.expect(status(number, FINISHED), self.limits.round, 1);
        match self.blocks.iter_mut().find(|(known, _)| *known == number) {
            Some((_, known)) => *known = block.bits,
            None => self.blocks.push((number, block.bits)),
        }
        let state = State {
            guard: Guard::of(exists),
            memory: path.state.memory.clone(),
            section: None,
            counters: Counters::none(&self.d),
            thread_locals: Vec::new(),
            stack: Vec::new(),
            effects: std::rc::Rc::default(),
            last_step: LastStep::default(),
            rounds: Rounds::default(),
        };
        let function = FunctionId(function);
        self.queue.push_back(Spawned { instance, function, argument: block, state });
        let name = self.d.with(|t| t.zero_extend(name, 64));
        self.give(path, into, name);
        Ok(Flow::Next)
    }

    /// The thread has ended on this path.
    pub fn thread_ends(&mut self, state: &mut State) -> Run<()> {
        let mut path = Path::of(state.clone());
        let own = self.out.threads[self.thread.0 as usize].number;
        if let Some(Section { depth: 1.., node: Some(node), .. }) = path.state.section {
            // The user's atomic section ends with its thread.
            self.point(&path, node, Term::TRUE, PointKind::Release(SECTIONS));
        }
        let one = self.byte(1);
        self.write_with_last_step(&mut path, Term::TRUE, status(own, FINISHED), one);
        self.approximate |= self.is_of_several_steps(&path);
        for (condition, node) in self.last_nodes(&mut path) {
            let guard = self.under(&path, condition);
            self.out.threads[self.thread.0 as usize].finished.push((guard, node));
        }
        let locals = path.state.thread_locals.iter().map(|(_, id)| *id);
        for id in path.state.stack.clone().into_iter().chain(locals.collect::<Vec<_>>()) {
            self.object_ends(&mut path, id);
        }
        self.section_ends(&mut path);
        Ok(())
    }
}
