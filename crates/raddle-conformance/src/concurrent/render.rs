//! Programs as text of the IR.

use std::fmt::Write;

use super::library::{LIBRARY, MEMORY};
use super::{Concurrent, Op, Order};

const GLOBALS: &str = "global a: 8\nglobal b: 12\nglobal m0: i64\nglobal m1: i64\nglobal f0: i32\n\
    global f1: i32\nglobal c0: i32\nglobal c1: i32\nglobal p: ptr\nglobal q: ptr\nglobal t: i32 thread_local\n\
    global done0: i64\nglobal done1: i64\nglobal done2: i64\nglobal done3: i64\nglobal done4: i64\n\
    global done5: i64\n";

pub fn render(program: &Concurrent) -> String {
    let mut text = String::new();
    for (name, initial) in ["x", "y", "z"].iter().zip(program.initial) {
        writeln!(text, "global {name}: i32 = {initial}").expect("to memory");
    }
    text += GLOBALS;
    let mut functions = Functions { places: program.started.len(), ..Functions::default() };
    for (i, body) in program.bodies.iter().enumerate() {
        functions.add(&format!("body{i}"), body, End::Thread);
    }
    functions.main(program);
    while let Some((name, body)) = functions.called.pop() {
        functions.add(&name, &body, End::Return);
    }
    let called = |prefix: &str| functions.text.contains(prefix);
    if called("&g]") {
        text += "global g: i64\n";
    }
    if ["@wide_", "@crossing_", "@look"].into_iter().any(called) {
        return text + "global w: 16\n" + &functions.text + LIBRARY + MEMORY;
    }
    text + &functions.text + LIBRARY
}

enum End {
    Thread,
    Return,
}

#[derive(Default)]
struct Functions {
    text: String,
    called: Vec<(String, Vec<Op>)>,
    calls: usize,
    /// Places by which starts and joins are ordered that are given away; the first ones to the threads of main.
    places: usize,
}

/// One function in the making.
struct Body<'a> {
    lines: Vec<String>,
    labels: usize,
    counters: usize,
    functions: &'a mut Functions,
}

impl Functions {
    fn add(&mut self, name: &str, ops: &[Op], end: End) {
        let mut body = Body::new(self);
        let open = body.ops(ops);
        if open {
            body.add(match end {
                End::Thread => "call @done(r0)\nreturn",
                End::Return => "return",
            });
        }
        let lines = body.finished();
        write!(self.text, "function {name}(r0: ptr) {{\n{lines}}}\n").expect("to memory");
    }

    fn main(&mut self, program: &Concurrent) {
        let mut body = Body::new(self);
        body.add("copy r0: ptr = &done5");
        let mut open = body.ops(&program.before);
        if open {
            for (place, number) in program.started.iter().enumerate() {
                body.add(&format!("r6: i32 = call @start(@body{number}, &done{place})"));
            }
            open = body.ops(&program.main);
        }
        if open {
            body.add("call @done(r0)\nkernel.thread_exit\nunreachable");
        }
        let lines = body.finished();
        write!(self.text, "function main() {{\n{lines}}}\n").expect("to memory");
    }
}

/// Labels in the order of the blocks.
fn renumbered(lines: Vec<String>) -> String {
    let names: Vec<String> = lines.iter().filter_map(|l| l.strip_suffix(':')).map(String::from).collect();
    let mut out = String::new();
    for line in lines {
        let words: Vec<String> = line
            .split(' ')
            .map(|word| {
                let bare = word.trim_end_matches([',', ':']);
                match names.iter().position(|n| n == bare) {
                    Some(number) => format!("bb{number}{}", &word[bare.len()..]),
                    None => word.to_string(),
                }
            })
            .collect();
        writeln!(out, "{}", words.join(" ")).expect("to memory");
    }
    out
}

const VARIABLES: [&str; 3] = ["x", "y", "z"];

fn order(atomic: bool) -> &'static str {
    if atomic { " seq_cst" } else { "" }
}

impl<'a> Body<'a> {
    fn new(functions: &'a mut Functions) -> Body<'a> {
        let mut body = Body { lines: vec!["bb0:".into()], labels: 0, counters: 0, functions };
        body.add("alloca r1 = 4\ncopy r2: ptr = null\ncopy r4: i32 = 0:i32");
        body
    }

    /// The text; the wide value is zero at first, where it is used.
    fn finished(mut self) -> String {
        if self.lines.iter().any(|line| line.contains("r8")) {
            self.lines.insert(1, "    copy r8: i64 = 0:i64".into());
        }
        renumbered(self.lines)
    }

    fn add(&mut self, text: &str) {
        self.lines.extend(text.lines().map(|l| format!("    {}", l.trim_start())));
    }

    fn label(&mut self) -> String {
        self.labels += 1;
        format!("L{}", self.labels)
    }

    fn begin(&mut self, label: &str) {
        self.lines.push(format!("{label}:"));
    }

    /// False: nothing comes after them.
    fn ops(&mut self, ops: &[Op]) -> bool {
        ops.iter().all(|op| self.op(op))
    }

    /// The body, if `r5` is true.
    fn guarded(&mut self, body: &[Op], after: &str) {
        let (yes, no) = (self.label(), self.label());
        self.add(&format!("branch r5, {yes}, {no}"));
        self.begin(&yes);
        if self.ops(body) {
            if !after.is_empty() {
                self.add(after);
            }
            self.add(&format!("jump {no}"));
        }
        self.begin(&no);
    }

    fn fault(&mut self, property: u32, equals: u32) {
        let (yes, no) = (self.label(), self.label());
        self.add(&format!("eq.i32 r5 = r4, {equals}\nbranch r5, {yes}, {no}"));
        self.begin(&yes);
        self.add(&format!("kernel.fault {property}:i32, null, null"));
        self.add(&format!("jump {no}"));
        self.begin(&no);
    }

    fn op(&mut self, op: &Op) -> bool {
        let name = |v: &u8| VARIABLES[*v as usize % 3];
        let pointer = |v: &u8| ["p", "q"][*v as usize % 2];
        match op {
            Op::Load { variable, atomic } => {
                self.add(&format!("load.i32 r4 = [&{}]{}", name(variable), order(*atomic)))
            }
            Op::Store { variable, atomic, constant } => {
                let value = constant.map_or("r4".into(), |c| c.to_string());
                self.add(&format!("store.i32 [&{}] = {value}{}", name(variable), order(*atomic)));
            }
            Op::Add(by) => self.add(&format!("add.i32.nsw r4 = r4, {by}")),
            Op::Update { variable, by } => {
                self.add(&format!("update.add.i32 r4 = [&{}], {by} seq_cst", name(variable)))
            }
            Op::CompareExchange { variable, expected, new, weak } => {
                let weak = if *weak { " weak" } else { "" };
                self.add(&format!(
                    "compare_exchange.i32 r4, r5 = [&{}], {expected}, {new} seq_cst{weak}",
                    name(variable)
                ));
            }
            Op::LoadIndexed => self.add("pointer_add.i32 r3 = &a, r4 * 4\nload.i32 r4 = [r3]"),
            Op::StoreIndexed => self.add("pointer_add.i32 r3 = &a, r4 * 4\nstore.i32 [r3] = r4"),
            Op::CopyWords => self.add("memory_copy [&b] = [&a], 8"),
            Op::Locked { mutex, body } => {
                let kind = ["", "_word"][*mutex as usize % 2];
                self.add(&format!("call @lock{kind}(&m{mutex})"));
                if !self.ops(body) {
                    return false;
                }
                self.add(&format!("call @unlock{kind}(&m{mutex})"));
            }
            Op::TryLocked(body) => {
                self.add("r6: i32 = call @pthread_mutex_trylock(&m0)\neq.i32 r5 = r6, 0");
                self.guarded(body, "call @unlock(&m0)");
            }
            Op::Unlock(mutex) => {
                let kind = ["", "_word"][*mutex as usize % 2];
                self.add(&format!("call @unlock{kind}(&m{mutex})"));
            }
            Op::Raise { flag, constant } => self.add(&format!("call @raise(&f{flag}, {constant}:i32)")),
            Op::Await { flag, equals } => self.add(&format!("call @await(&f{flag}, {equals}:i32)")),
            Op::Wait(condition) => self.add(&format!("call @wait(&c{condition})")),
            Op::WaitWith(condition) => {
                self.add(&format!("call @raddle_cond_wait(&c{condition}, &m0, 0:i32)"))
            }
            Op::Signal(condition) => self.add(&format!("call @signal(&c{condition})")),
            Op::Join(number) => {
                // Thread number n was main's (n - 2)th start.
                let place = if *number == 1 { 5 } else { number - 2 };
                self.add(&format!("call @join({number}:i32, &done{place})"));
            }
            Op::Start { body, join } => {
                let place = self.functions.places.min(4);
                self.functions.places += 1;
                self.add(&format!("r6: i32 = call @start(@body{body}, &done{place})"));
                if *join {
                    self.add(&format!("call @join(r6, &done{place})"));
                }
            }
            Op::Atomic(body) => {
                self.add("kernel.atomic_begin");
                if !self.ops(body) {
                    return false;
                }
                self.add("kernel.atomic_end");
            }
            Op::Choose(count) => self.add(&format!("r4: i32 = kernel.choose {count}:i64")),
            Op::Assume(equals) => {
                self.add(&format!("eq.i32 r5 = r4, {equals}\nzero_extend.i1.i32 r6 = r5\nkernel.assume r6"))
            }
            Op::AssertNot(value) => self.fault(1, *value),
            Op::LocksFault(value) => self.fault(2, *value),
            Op::Holds(mutex) => self.add(&format!("r4: i32 = call @holds(&m{mutex})")),
            Op::Yield => self.add("kernel.yield"),
            Op::If { equals, body } => {
                self.add(&format!("eq.i32 r5 = r4, {equals}"));
                self.guarded(body, "");
            }
            Op::Repeat { times, body } => {
                let counter = 10 + self.counters;
                self.counters += 1;
                let (head, after) = (self.label(), self.label());
                self.add(&format!("copy r{counter}: i32 = 0:i32\njump {head}"));
                self.begin(&head);
                if self.ops(body) {
                    self.add(&format!("add.i32 r{counter} = r{counter}, 1"));
                    self.add(&format!("eq.i32 r5 = r{counter}, {times}\nbranch r5, {after}, {head}"));
                    self.begin(&after);
                } else {
                    return false;
                }
            }
            Op::Forever(body) => {
                let head = self.label();
                self.add(&format!("jump {head}"));
                self.begin(&head);
                if self.ops(body) {
                    self.add(&format!("jump {head}"));
                }
                return false;
            }
            Op::Spin { variable, equals, body } => {
                let (head, again, after) = (self.label(), self.label(), self.label());
                self.add(&format!("jump {head}"));
                self.begin(&head);
                self.add(&format!("load.i32 r4 = [&{}] seq_cst\neq.i32 r5 = r4, {equals}", name(variable)));
                self.add(&format!("branch r5, {after}, {again}"));
                self.begin(&again);
                if self.ops(body) {
                    self.add(&format!("jump {head}"));
                }
                self.begin(&after);
            }
            Op::Call(body) => {
                self.functions.calls += 1;
                let name = format!("call{}", self.functions.calls);
                self.functions.called.push((name.clone(), body.clone()));
                self.add(&format!("call @{name}(r0)"));
            }
            Op::ThreadExit => {
                self.add("call @done(r0)\nkernel.thread_exit\nunreachable");
                return false;
            }
            Op::ProcessExit => {
                self.add("kernel.process_exit 0:i32, 0:i32\nunreachable");
                return false;
            }
            Op::Allocate => self.add("r2: ptr = kernel.alloc 4:i64, 1:i64"),
            Op::Free => self.add("kernel.free r2"),
            Op::Publish { to, atomic, local } => {
                let what = if *local { "r1" } else { "r2" };
                self.add(&format!("store.ptr [&{}] = {what}{}", pointer(to), order(*atomic)));
            }
            Op::Take { from, atomic } => {
                self.add(&format!("load.ptr r2 = [&{}]{}", pointer(from), order(*atomic)))
            }
            Op::LoadThrough => {
                self.add("ne.ptr r5 = r2, null");
                let (yes, no) = (self.label(), self.label());
                self.add(&format!("branch r5, {yes}, {no}"));
                self.begin(&yes);
                self.add(&format!("load.i32 r4 = [r2]\njump {no}"));
                self.begin(&no);
            }
            Op::StoreThrough { atomic } => {
                self.add("ne.ptr r5 = r2, null");
                let (yes, no) = (self.label(), self.label());
                self.add(&format!("branch r5, {yes}, {no}"));
                self.begin(&yes);
                self.add(&format!("store.i32 [r2] = r4{}\njump {no}", order(*atomic)));
                self.begin(&no);
            }
            Op::UseThreadLocal => {
                self.add("r3 = thread_local &t\nload.i32 r6 = [r3]\nadd.i32 r6 = r6, 1\nstore.i32 [r3] = r6")
            }
            Op::WideStore => self.add("call @wide_store(r4)"),
            Op::WideLoad => self.add("r4 = call @wide_load()"),
            Op::WideExchange { expected, new } => {
                self.add(&format!("r4 = call @wide_exchange({expected}:i32, {new}:i32)"))
            }
            Op::WidePart { write: true } => self.add("call @wide_part_write(r4)"),
            Op::WidePart { write: false } => self.add("r4 = call @wide_part_read()"),
            Op::Crossing { write: true } => self.add("call @crossing_write(r4)"),
            Op::Crossing { write: false } => self.add("r4 = call @crossing_read()"),
            Op::OrderedLoad { variable, order } => {
                self.add(&format!("load.i32 r4 = [&{}] {}", name(variable), order.word()))
            }
            Op::OrderedStore { variable, order, constant } => {
                let value = constant.map_or("r4".into(), |c| c.to_string());
                self.add(&format!("store.i32 [&{}] = {value} {}", name(variable), order.word()));
            }
            Op::OrderedUpdate { variable, by, order } => {
                self.add(&format!("update.add.i32 r4 = [&{}], {by} {}", name(variable), order.word()))
            }
            Op::OrderedExchange { variable, expected, new, success, failure } => self.add(&format!(
                "compare_exchange.i32 r4, r5 = [&{}], {expected}, {new} {} failure {}",
                name(variable),
                success.word(),
                failure.word()
            )),
            Op::Fence(order) => self.add(&format!("fence {}", order.word())),
            Op::Input { bits, signed, chosen } => {
                self.add(&format!("r8: i64 = kernel.any {chosen}:i64"));
                if *signed {
                    let by = 64 - chosen;
                    self.add(&format!("shl.i64 r8 = r8, {by}\nashr.i64 r8 = r8, {by}"));
                }
                if *bits < 64 {
                    let mask = (1u64 << bits) - 1;
                    self.add(&format!("and.i64 r8 = r8, {mask}"));
                }
            }
            Op::Compute { op, by } => self.add(&format!("{op}.i64 r8 = r8, {by}")),
            Op::Compare { op, with } => {
                self.add(&format!("{op}.i64 r5 = r8, {with}\nzero_extend.i1.i32 r4 = r5"))
            }
            Op::LowBits(mask) => self.add(&format!("truncate.i64.i32 r4 = r8\nand.i32 r4 = r4, {mask}")),
            Op::StoreWide(order) => {
                self.add(&format!("store.i64 [&g] = r8 {}", order.map_or("", Order::word)));
            }
            Op::LoadWide(order) => {
                self.add(&format!("load.i64 r8 = [&g] {}", order.map_or("", Order::word)));
            }
            Op::Look { reuse: true } => self.add("r4 = call @look_with_reuse(r2)"),
            Op::Look { reuse: false } => self.add("r4 = call @look(r2)"),
        }
        true
    }
}
