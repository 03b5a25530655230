//! States: shared variables, threads with their stacks, and which thread is inside an atomic section.

use super::Setting;
use crate::flow::{Flow, Formula, NodeId, Procedure, ProcedureId, Variable};

/// All that a run is at one moment.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct State {
    pub globals: Vec<bool>,
    /// A thread keeps its number while it runs; a thread that ended leaves its number free for the next one. The last
    /// entry is never `None`.
    pub threads: Vec<Option<Thread>>,
    /// The thread that is inside an atomic section.
    pub atomic: Option<usize>,
}

/// A thread: its stack, never empty; the last frame is the active one.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Thread {
    pub frames: Vec<Frame>,
}

/// A procedure that has begun and not returned.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Frame {
    pub procedure: ProcedureId,
    /// The step that is next; of a frame that waits for another, its call.
    pub node: NodeId,
    pub locals: Vec<bool>,
}

/// What one thread sees of a state: the unit of reachability in the thesis (§5.3).
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ThreadState {
    pub procedure: ProcedureId,
    pub node: NodeId,
    pub globals: Vec<bool>,
    pub locals: Vec<bool>,
}

impl Thread {
    pub fn top(&self) -> &Frame {
        self.frames.last().expect("a thread has a frame")
    }

    pub(super) fn top_mut(&mut self) -> &mut Frame {
        self.frames.last_mut().expect("a thread has a frame")
    }
}

impl State {
    /// The initial state in which shared variables, and then the locals of each thread, have these values.
    pub fn initial(flow: &Flow, setting: &Setting, values: &[bool]) -> State {
        let locals = flow.procedure(flow.main).locals.len();
        let (globals, rest) = values.split_at(flow.globals.len());
        let threads = (0..setting.initial_threads).map(|index| {
            let locals = rest[index * locals..(index + 1) * locals].to_vec();
            Some(Thread { frames: vec![Frame { procedure: flow.main, node: Procedure::ENTRY, locals }] })
        });
        State { globals: globals.to_vec(), threads: threads.collect(), atomic: None }
    }

    /// How many values [`State::initial`] takes.
    pub fn initial_bits(flow: &Flow, setting: &Setting) -> usize {
        flow.globals.len() + setting.initial_threads * flow.procedure(flow.main).locals.len()
    }

    pub fn running(&self) -> usize {
        self.threads.iter().flatten().count()
    }

    pub fn thread(&self, index: usize) -> Option<&Thread> {
        self.threads.get(index).and_then(Option::as_ref)
    }

    /// The value of a leaf of a formula in a frame; [`Formula::Next`] has none here.
    pub(super) fn leaf(&self, frame: &Frame, choices: &[bool], leaf: &Formula) -> bool {
        match leaf {
            Formula::Now(Variable::Global(index)) => self.globals[*index as usize],
            Formula::Now(Variable::Local(index)) => frame.locals[*index as usize],
            Formula::Choice(number) => choices[*number as usize],
            _ => unreachable!("not a leaf that is known before the step"),
        }
    }

    /// What each running thread sees.
    pub fn thread_states(&self) -> impl Iterator<Item = ThreadState> {
        self.threads.iter().flatten().map(|thread| {
            let Frame { procedure, node, locals } = thread.top().clone();
            ThreadState { procedure, node, globals: self.globals.clone(), locals }
        })
    }

    /// The first thread at a label.
    pub fn at_label(&self, flow: &Flow, label: &str) -> Option<usize> {
        self.threads.iter().position(|thread| {
            thread.as_ref().is_some_and(|thread| {
                let frame = thread.top();
                flow.node(frame.procedure, frame.node).labels.iter().any(|l| l == label)
            })
        })
    }
}
