//! Threads: their creation, their end, and the cells that say whether a thread exists and has ended.

use raddle_ir::{FunctionId, Operand, Register};
use raddle_machine::pointer::{self, ObjectName};
use raddle_solver::Term;
use rustc_hash::FxHashMap;

use super::{CREATED, FINISHED, status};
use crate::executor::{Executor, Path, Run, Spawned};
use crate::instructions::Flow;
use crate::state::{Because, Counters, Guard, Section, State};
use crate::unrolling::*;

impl Executor<'_> {
    pub(crate) fn is_number_of(&self, number: Term, known: u32) -> Term {
        self.d.with(|t| {
            let low = t.extract(number, 31, 0);
            let known = t.constant(32, known as u64);
            t.eq(low, known)
        })
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
        let own = self.out.threads[self.thread.0 as usize].number;
        for (known, block) in self.blocks.clone() {
            let is_it = self.is_number_of(number, known);
            others = self.d.and(others, self.d.not(is_it));
            if is_it == Term::FALSE {
                continue;
            }
            let created = match known == 1 || known == own {
                true => Term::TRUE,
                false => {
                    let Some(cell) = self.read_range(path, None, is_it, status(known, CREATED)) else {
                        return Ok(Flow::Dead);
                    };
                    let zero = self.d.with(|t| t.is_zero(cell.bits));
                    self.d.not(zero)
                }
            };
            let exists = self.d.and(is_it, created);
            result = self.d.ite(exists, block, result);
        }
        // Threads that another one creates, which is executed later here.
        for later in self.learned.threads.clone() {
            if !self.blocks.iter().any(|(known, _)| *known == later.0) {
                let later = later.0;
                let is_it = self.is_number_of(number, later);
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
        let parent_number = self.out.threads[parent.0 as usize].number;
        let nth = path.state.counters.children;
        path.state.counters.children = nth.map(|n| n + 1);
        let taken = |n: &u32| self.out.threads.iter().any(|t| t.number == *n);
        let number =
            nth.map(|nth| raddle_machine::kernel::child_number(parent_number, nth)).filter(|n| !taken(n));
        let number = match number {
            Some(number) => number,
            None => {
                self.renumbered = true;
                let mut free = 3000;
                while taken(&free) {
                    free += 1;
                }
                free
            }
        };
        let node = path.state.section.as_ref().and_then(|section| section.node);
        if node.is_none() || number > pointer::MAX_THREAD {
            return self.dead(path, "too many threads");
        }
        let one = self.byte(1);
        self.write_range(path, None, Term::TRUE, status(number, CREATED), one);
        let exists = path.state.guard.term();
        let instance = self.add_thread(number, Some(parent), node, exists);
        self.point(path, node.expect("checked above"), Term::TRUE, PointKind::Spawn(instance));
        let constant = self.d.as_constant(block.bits);
        self.learned.threads.insert(number, constant);
        match self.blocks.iter_mut().find(|(known, _)| *known == number) {
            Some((_, known)) => *known = block.bits,
            None => self.blocks.push((number, block.bits)),
        }
        let state = State {
            guard: Guard::of(exists),
            memory: path.state.memory.clone(),
            section: None,
            counters: Counters { heap: Some(0), stack: Some(0), children: Some(0) },
            thread_locals: Vec::new(),
            stack: Vec::new(),
        };
        let function = FunctionId(function);
        self.queue.push_back(Spawned { instance, function, argument: block, state });
        self.give_number(path, into, number as u64);
        Ok(Flow::Next)
    }

    /// The thread has ended on this path.
    pub fn thread_ends(&mut self, state: &mut State) -> Run<()> {
        let mut path = Path::of(state.clone());
        let own = self.out.threads[self.thread.0 as usize].number;
        if path.state.section.is_none() {
            let node = Some(self.new_node());
            let overlay = FxHashMap::default();
            path.state.section = Some(Section {
                node,
                kernel: true,
                probe: false,
                stoppable: false,
                seen_before: (0, 0),
                depth: 0,
                overlay,
            });
        }
        let guard = path.state.guard.term();
        self.out.threads[self.thread.0 as usize].finished.push(guard);
        let one = self.byte(1);
        self.write_range(&mut path, None, Term::TRUE, status(own, FINISHED), one);
        let locals = path.state.thread_locals.iter().map(|(_, id)| *id);
        for id in path.state.stack.clone().into_iter().chain(locals.collect::<Vec<_>>()) {
            self.object_ends(&mut path, id);
        }
        self.section_ends(&mut path);
        Ok(())
    }
}
