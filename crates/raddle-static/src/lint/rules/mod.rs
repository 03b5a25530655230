//! The rules. Each reads the events of all threads and gives candidates; what one rule explains another does not repeat.

mod conditions;
mod guards;
mod lock_order;
mod locks;
mod races;
mod thread_starts;
mod updates;
mod views;

use std::collections::BTreeSet;
use std::rc::Rc;

use raddle_ir::{BlockId, Function, FunctionId, Inst};
use raddle_trace::LintRule;

use super::events::{Access, Where};
use super::facts::Facts;
use super::interpret::{Interpreter, RootKind};
use super::symbols::Symbol;
use super::{Candidate, Spot};
use crate::CodePlace;
use crate::locks::LockFunctions;

/// What rules share.
pub struct Rules<'a, 'b> {
    pub interpreter: &'b mut Interpreter<'a>,
    pub locks: &'b LockFunctions,
    pub facts: Facts,
    pub accesses: Rc<Vec<Access>>,
    pub found: Vec<Candidate>,
    /// Accesses and variables that a finding has explained already.
    pub explained: BTreeSet<CodePlace>,
    pub explained_objects: BTreeSet<Symbol>,
}

/// All candidates, in the order of their places.
pub fn all(interpreter: &mut Interpreter, locks: &LockFunctions) -> Vec<Candidate> {
    let facts = Facts::of(interpreter);
    let accesses = Rc::new(std::mem::take(&mut interpreter.events.accesses));
    let mut rules = Rules {
        interpreter,
        locks,
        facts,
        accesses,
        found: Vec::new(),
        explained: BTreeSet::new(),
        explained_objects: BTreeSet::new(),
    };
    rules.lock_order();
    rules.waits();
    rules.lost_signals();
    rules.double_checked();
    rules.escaping_locals();
    rules.stale_values();
    rules.atomic_updates();
    rules.races();
    rules.majority();
    rules.unreleased();
    rules.ignored_tries();
    rules.copies();
    rules.blocking_calls();
    rules.method_views();
    rules.unjoined();
    let program = rules.interpreter.program;
    let mut found = rules.found;
    let line = |at: &CodePlace| program.function(at.0).places.get(at.1 as usize).copied().unwrap_or_default();
    let key = |c: &Candidate| {
        let at = line(&c.spots[0].at);
        (at.file.0, at.line, at.column, c.rule)
    };
    found.sort_by(|a, b| key(a).cmp(&key(b)).then_with(|| a.message.cmp(&b.message)));
    found.dedup_by(|a, b| key(a) == key(b));
    found
}

impl Rules<'_, '_> {
    pub fn spot(&self, place: &Where, role: impl Into<String>) -> Spot {
        let held = place.held.iter().map(|held| self.interpreter.scalar_text(held.lock));
        let mut locks: Vec<String> = held.collect();
        locks.dedup();
        let mut calls = Vec::new();
        let mut next = place.calls.as_ref();
        while let Some(call) = next {
            if !self.interpreter.function(call.at.0).library {
                calls.push(call.at);
            }
            next = call.outer.as_ref();
        }
        Spot { role: role.into(), at: place.at, locks, calls }
    }

    pub fn bare_spot(&self, at: CodePlace, role: impl Into<String>) -> Spot {
        Spot { role: role.into(), at, locks: Vec::new(), calls: Vec::new() }
    }

    pub fn report(&mut self, rule: LintRule, message: String, spots: Vec<Spot>) {
        self.found.push(Candidate { rule, level: rule.level(), message, spots });
    }

    /// The number or pointer at an address: the first member or element, where there are several.
    pub fn text(&self, address: Symbol) -> String {
        self.interpreter.scalar_text(address)
    }

    /// The thread is part of what is compared with other threads.
    pub fn is_reached(&self, place: &Where) -> bool {
        self.interpreter.roots[place.root].kind != RootKind::Unreached
    }

    pub fn is_exported(&self, place: &Where) -> bool {
        self.interpreter.roots[place.root].kind == RootKind::Exported
    }

    pub fn function_name(&self, function: FunctionId) -> &str {
        &self.interpreter.function(function).name
    }
}

/// Whether an instruction may be executed again in one call of its function.
pub fn is_in_cycle(function: &Function, pc: u32) -> bool {
    cycle(function, pc, &|_| false)
}

/// Whether control may come back to an instruction without passing one that `stops`.
pub fn cycle(function: &Function, pc: u32, stops: &dyn Fn(&Inst) -> bool) -> bool {
    let start = function.block_of(pc);
    let passes = |from: u32, to: u32| !(from..to).any(|at| stops(&function.code[at as usize]));
    let mut seen = vec![false; function.blocks.len()];
    let mut open: Vec<BlockId> = Vec::new();
    let follow = |block: BlockId, open: &mut Vec<BlockId>| {
        let last = function.blocks[block.index()].end - 1;
        function.code[last as usize].for_each_target(|target| open.push(target));
    };
    if !passes(pc + 1, function.blocks[start.index()].end) {
        return false;
    }
    follow(start, &mut open);
    while let Some(block) = open.pop() {
        let range = function.blocks[block.index()];
        if block == start && passes(range.start, pc) {
            return true;
        }
        if !std::mem::replace(&mut seen[block.index()], true)
            && block != start
            && passes(range.start, range.end)
        {
            follow(block, &mut open);
        }
    }
    false
}
