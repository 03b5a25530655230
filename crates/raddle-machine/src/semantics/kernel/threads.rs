//! Kernel operations on threads: creation, end, thread-local objects.

use raddle_ir::Operand;

use crate::semantics::fault::FaultKind;
use crate::semantics::machine::{new_thread, write_initializer};
use crate::semantics::memory::MemoryFault;
use crate::semantics::object::{Object, ObjectKind};
use crate::semantics::pointer;
use crate::semantics::pointer::{MAX_OBJECT, MAX_THREAD, ObjectId, ObjectName};
use crate::semantics::run::{Exit, Run};
use crate::semantics::thread::{Status, ThreadIndex};
use crate::semantics::watch::Watch;
use raddle_semantics::Value;

/// Threads with numbers of their own: children of main, and children of each of the first 64 of those.
const MAIN_CHILDREN: u32 = 126;
const GRANDCHILDREN: u32 = 30;
/// How many numbers are left for the others.
const MIXED: u32 = MAX_THREAD - 2 - MAIN_CHILDREN - 64 * GRANDCHILDREN;

/// The number of a thread's `nth` child, from its path in the tree of creations alone: the first children of main, and of
/// those, have numbers of their own; the others get one that is mixed from the path. Two of these may be the same. The next
/// free one would depend on which of the two comes first: names of objects would then depend on the schedule.
pub fn child_number(parent: u32, nth: u32) -> u32 {
    let number = match parent {
        1 if nth < MAIN_CHILDREN => return 2 + nth,
        2..66 if nth < GRANDCHILDREN => return 2 + MAIN_CHILDREN + (parent - 2) * GRANDCHILDREN + nth,
        1 => nth - MAIN_CHILDREN,
        _ => {
            let mixed = (parent as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            let start = (mixed.wrapping_mul(0xd6e8_feb8_6659_fd93) >> 33) as u32 % MIXED;
            start.wrapping_add(nth)
        }
    };
    MAX_THREAD - MIXED + number % MIXED
}

impl<W: Watch> Run<'_, W> {
    pub(crate) fn spawn(&mut self, arguments: &[Operand]) -> Result<u32, Exit> {
        let (body, tcb) = (self.number(arguments[0])?, self.number(arguments[1])?);
        let ObjectName::Function(function) = pointer::object(body).name() else {
            return Err(Exit::Raise(FaultKind::Memory(MemoryFault::Wild), Some(body)));
        };
        let function = raddle_ir::FunctionId(function);
        let target = self.machine.program.function(function);
        if !target.has_body() {
            return Err(Exit::Unsupported(crate::semantics::undefined_names::missing_body(
                &self.machine.program,
                function,
            )));
        }
        let at = crate::semantics::run::user_point(self.machine, self.thread_ref());
        let thread = self.thread();
        let nth = thread.children;
        thread.children += 1;
        let number = self.child_number(nth)?;
        let mut child = new_thread(number, tcb);
        child.parent = Some(self.index);
        child.created_at = Some(at);
        self.machine.push_entry(&mut child, function);
        if let Some(parameter) = target.parameters.first() {
            child.registers[parameter.index()] = Value::of(tcb);
        }
        let index = ThreadIndex(self.state.threads.len() as u32);
        self.state.threads.push(crate::semantics::copy_on_write::Shared::new(child));
        self.state.running += 1;
        self.machine.settings.coverage.created(index.index());
        self.spawned.push(index);
        // The parent no longer runs alone.
        self.outer_credit = 0;
        if !self.in_section {
            self.credit = 0;
        }
        self.notify(|w, s| w.spawn(s, index, number));
        Ok(number)
    }

    /// The number of this thread's `nth` child, unless another thread has it.
    pub(crate) fn child_number(&self, nth: u32) -> Result<u32, Exit> {
        let number = child_number(self.thread_ref().number, nth);
        if number >= MAX_THREAD - MIXED && self.state.thread_numbered(number).is_some() {
            return Err(Exit::Unsupported(format!(
                "thread limit exceeded ({} threads)",
                self.state.threads.len()
            )));
        }
        Ok(number)
    }

    /// The thread has ended.
    pub(crate) fn thread_end(&mut self) {
        self.notify(|w, s| w.thread_end(s));
        if self.in_section {
            self.leave_section();
        }
        if let Some((owner, _)) = self.state.atomic
            && owner == self.index
        {
            self.state.atomic = Some((owner, 1));
            self.atomic_end();
        }
        let index = self.index.index();
        let thread = self.thread_ref();
        let mut gone: Vec<ObjectId> = thread.frames.iter().flat_map(|f| &f.objects).copied().collect();
        gone.extend(thread.thread_locals.iter().map(|(_, id)| *id));
        for id in gone {
            self.remove(id);
        }
        let thread = self.state.threads[index].write();
        thread.frames.clear();
        thread.thread_locals.clear();
        thread.registers.clear();
        thread.status = Status::Finished;
        self.state.running -= 1;
    }

    pub(crate) fn make_thread_local(&mut self, global: raddle_ir::GlobalId) -> Result<bool, Exit> {
        let program = self.machine.program.clone();
        let data = program.global(global);
        if data.external {
            return Err(Exit::Unsupported(crate::semantics::undefined_names::missing_object(
                &program, global,
            )));
        }
        if data.size > MAX_OBJECT {
            return Err(Exit::Unsupported(format!("a thread-local variable of {} bytes", data.size)));
        }
        let thread = self.thread();
        let id = ObjectId::stack(thread.number, thread.stack_count);
        thread.stack_count += 1;
        let mut object = Object::new(ObjectKind::ThreadLocal(global), data.size as u32, true);
        thread.thread_locals.push((global, id));
        object.base32 = self.take_address(data.size as u32);
        self.state.memory.add(id, object);
        write_initializer(&mut self.state.memory, id.base(), data);
        Ok(true)
    }
}
