//! For the tests: random small programs as IR.

#![allow(dead_code)]

use std::fmt::Write;
use std::sync::Arc;

use raddle_ir::{FunctionId, Program};
use raddle_machine::{Expression, ExpressionCode};

/// Marsaglia's xorshift.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }
    pub fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 11) % n
    }
    pub fn one_in(&mut self, n: u64) -> bool {
        self.below(n) == 0
    }
}

pub const LIBRARY: &str = r#"
global x: i32
global y: i32
global m: i32
global message: i32
// No proposition reads these; the last three belong to one thread each.
global n: i32
global u: i32
global v: i32
global g0: i32
global g1: i32
global g2: i32
global list: ptr
global kept: ptr
function lock(r0: ptr) library {
bb0:
    kernel.begin
    r1: i32 = kernel.held r0
    eq.i32 r2 = r1, 0
    branch r2, bb2, bb1
bb1:
    kernel.block 1:i32, r0, 0:i32
    unreachable
bb2:
    kernel.event 1:i32, r0
    kernel.end
    return
}
function unlock(r0: ptr) library {
bb0:
    kernel.begin
    kernel.event 3:i32, r0
    kernel.end
    return
}
// Waits until the word is not 0; how: 1 with spurious wake-ups, 2 with a time-out.
function wait1(r0: ptr) library {
bb0:
    kernel.begin
    load.i32 r1 = [r0]
    eq.i32 r2 = r1, 0
    branch r2, bb1, bb2
bb1:
    kernel.pause 4:i32, r0, 0:i32, 1:i32
    jump bb2
bb2:
    kernel.end
    return
}
function wait2(r0: ptr) library {
bb0:
    kernel.begin
    load.i32 r1 = [r0]
    eq.i32 r2 = r1, 0
    branch r2, bb1, bb2
bb1:
    kernel.pause 4:i32, r0, 0:i32, 2:i32
    jump bb2
bb2:
    kernel.end
    return
}
// A section that makes a choice in its middle.
function toss(r0: ptr) library {
bb0:
    kernel.begin
    r1: i32 = kernel.choose 2:i64
    store.i32 [r0] = r1
    kernel.end
    return
}
function start(r0: ptr) library {
bb0:
    kernel.begin
    r1: i32 = kernel.spawn r0, null
    kernel.end
    return
}
function begin(r0: ptr) -> 1 library {
bb0:
    kernel.begin
    r1: i32 = kernel.spawn r0, null
    kernel.end
    return r1
}
function join(r0: i32) library {
bb0:
    kernel.begin
    r1: i32 = kernel.finished r0
    eq.i32 r2 = r1, 0
    branch r2, bb1, bb2
bb1:
    kernel.block 7:i32, null, r0
    unreachable
bb2:
    kernel.end
    return
}
function p() -> 1 {
bb0:
    load.i32 r0 = [&x]
    return r0
}
// Invariants.
function not_both() -> 1 {
bb0:
    load.i32 r0 = [&x]
    load.i32 r1 = [&y]
    and.i32 r2 = r0, r1
    xor.i32 r2 = r2, 1
    return r2
}
function y_if_x() -> 1 {
bb0:
    load.i32 r0 = [&x]
    eq.i32 r1 = r0, 0
    branch r1, bb1, bb2
bb1:
    return 1:i32
bb2:
    load.i32 r2 = [&y]
    return r2
}
function not_x() -> 1 {
bb0:
    load.i32 r0 = [&x]
    xor.i32 r0 = r0, 1
    return r0
}
function q() -> 1 {
bb0:
    load.i32 r0 = [&y]
    return r0
}
"#;

/// One instruction that does not end a block.
fn plain(random: &mut Random, inside: bool) -> String {
    let word = ["&x", "&y"][random.below(2) as usize];
    match random.below(if inside { 6 } else { 16 }) {
        0 | 1 => format!("store.i32 [{word}] = {}", random.below(2)),
        2 => format!("load.i32 r2 = [{word}]\n    store.i32 [&x] = r2"),
        3 => format!("load.i32 r2 = [{word}]\n    xor.i32 r2 = r2, 1\n    store.i32 [{word}] = r2"),
        4 => format!("call @toss({word})"),
        5 => "r3: i32 = kernel.choose 2:i64\n    store.i32 [&x] = r3".into(),
        6 | 7 => "kernel.yield".into(),
        8 => format!(
            "call @lock(&m)\n    store.i32 [{word}] = 1\n    store.i32 [{word}] = 0\n    call @unlock(&m)"
        ),
        9 => format!("call @wait{}({word})", 1 + random.below(2)),
        10 => {
            let first = plain(random, true);
            let second = plain(random, true);
            format!("kernel.atomic_begin\n    {first}\n    {second}\n    kernel.atomic_end")
        }
        11 => "kernel.progress".into(),
        12 if random.one_in(2) => format!("load.i32 r2 = [{word}]\n    kernel.assume r2"),
        13 if random.one_in(4) => "call @lock(&m)".into(),
        14 if random.one_in(4) => "kernel.fault 1:i32, &message, null".into(),
        15 if random.one_in(4) => "kernel.process_exit 0:i32, 0:i32".into(),
        _ => format!("store.i32 [{word}] = {}", random.below(2)),
    }
}

/// A function of a few blocks with jumps anywhere among them.
fn body(random: &mut Random, name: &str, start: &str) -> String {
    let mut text = format!("function {name}() {{\nbb0:\n    copy r1: i32 = 0:i32\n{start}    jump bb1\n");
    let blocks = 1 + random.below(4);
    for block in 1..=blocks {
        writeln!(text, "bb{block}:").unwrap();
        for _ in 0..random.below(3) {
            writeln!(text, "    {}", plain(random, false)).unwrap();
        }
        let target = |random: &mut Random| 1 + random.below(blocks + 1);
        match random.below(3) {
            0 => writeln!(text, "    jump bb{}", target(random)).unwrap(),
            _ => {
                let word = ["&x", "&y"][random.below(2) as usize];
                let (yes, no) = (target(random), target(random));
                writeln!(
                    text,
                    "    load.i32 r4 = [{word}]\n    eq.i32 r5 = r4, 0\n    branch r5, bb{yes}, bb{no}"
                )
                .unwrap();
            }
        }
    }
    writeln!(text, "bb{}:\n    kernel.thread_exit\n    unreachable\n}}", blocks + 1).unwrap();
    text
}

pub fn program(random: &mut Random) -> String {
    let others = random.below(3);
    let mut start = String::new();
    let mut text = String::new();
    for other in 0..others {
        writeln!(start, "    call @start(@t{other})").unwrap();
        text += &body(random, &format!("t{other}"), "");
    }
    text += &body(random, "main", &start);
    text + LIBRARY
}

/// The program of a text, with its visible accesses marked.
pub fn load(text: &str) -> Arc<Program> {
    let mut parsed = raddle_ir::text::parse(text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    raddle_ir::verify::verify(&parsed).unwrap_or_else(|e| panic!("{e:?}\n{text}"));
    raddle_analysis::mark_visible(&mut parsed);
    Arc::new(parsed)
}

/// The expression whose code is the function of this name.
pub fn expression(program: &Program, name: &str) -> Expression {
    let function = program.functions.iter().position(|f| f.name == name).expect("it is there");
    Expression { text: name.into(), code: ExpressionCode::Function(FunctionId::new(function)) }
}

// -- programs with more to leave out ------------------------------------------------------------------------------

/// The words that a thread uses: two of propositions, and one that is its own.
#[derive(Clone, Copy)]
struct Words<'a> {
    seen: [&'a str; 2],
    own: &'a str,
}

/// Seldom one of a proposition.
fn word<'a>(random: &mut Random, words: Words<'a>) -> &'a str {
    match random.below(8) {
        0 => words.seen[0],
        1 => words.seen[1],
        2 | 3 => "&u",
        4 => "&v",
        _ => words.own,
    }
}

/// A few instructions, outside sections.
fn item(random: &mut Random, words: Words) -> String {
    let (word, own) = (word(random, words), words.own);
    let store = |random: &mut Random, word: &str| format!("store.i32 [{word}] = {}", random.below(2));
    let flip =
        |word: &str| format!("load.i32 r2 = [{word}]\n    xor.i32 r2 = r2, 1\n    store.i32 [{word}] = r2");
    let lock = ["&m", "&n"][random.below(2) as usize];
    match random.below(26) {
        0..=4 => store(random, word),
        5..=7 => flip(word),
        8 | 9 => format!("load.i32 r2 = [{word}]\n    store.i32 [{own}] = r2"),
        10 | 11 => {
            let inside = store(random, word);
            format!("call @lock({lock})\n    {inside}\n    call @unlock({lock})")
        }
        12 => format!("call @lock({lock})\n    call @unlock({lock})"),
        13 => {
            let (first, second) = (flip(own), store(random, word));
            format!("call @lock({lock})\n    {first}\n    {second}\n    call @unlock({lock})")
        }
        14 => {
            let (first, second) = if random.one_in(3) { ("&n", "&m") } else { ("&m", "&n") };
            let inside = store(random, word);
            format!(
                "call @lock({first})\n    call @lock({second})\n    {inside}\n    call @unlock({second})\n    \
                 call @unlock({first})"
            )
        }
        15 => {
            let (first, second) = (store(random, word), flip(own));
            format!("kernel.atomic_begin\n    {first}\n    {second}\n    kernel.atomic_end")
        }
        16 => {
            let (first, second) = (store(random, word), store(random, word));
            format!("kernel.atomic_begin\n    {first}\n    {second}\n    kernel.atomic_end")
        }
        17 if random.one_in(3) => {
            format!(
                "kernel.atomic_begin\n    call @lock({lock})\n    call @unlock({lock})\n    kernel.atomic_end"
            )
        }
        18 => "kernel.progress".into(),
        19 if random.one_in(2) => format!("call @wait{}({word})", 1 + random.below(2)),
        20 if random.one_in(2) => format!("call @toss({word})"),
        21 if random.one_in(2) => format!("load.i32 r2 = [{word}]\n    kernel.assume r2"),
        22 if random.one_in(4) => "kernel.process_exit 0:i32, 0:i32".into(),
        23 if random.one_in(4) => "kernel.fault 1:i32, &message, null".into(),
        24 => {
            "r7: ptr = kernel.alloc 4:i64, 1:i64\n    store.ptr [&list] = r7\n    store.i32 [r7] = 1".into()
        }
        25 => "kernel.yield".into(),
        _ => flip(word),
    }
}

/// Blocks in a row; most branches go on, or back to spin or to loop.
fn thread(random: &mut Random, name: &str, words: Words, start: &str, end: &str) -> String {
    let mut text = format!("function {name}() {{\nbb0:\n{start}    jump bb1\n");
    let blocks = 1 + random.below(4);
    // Each with a block behind it that decides where to go on.
    let begin = |block: u64| 2 * block - 1;
    for block in 1..=blocks {
        writeln!(text, "bb{}:", begin(block)).unwrap();
        for _ in 0..random.below(4) {
            writeln!(text, "    {}", item(random, words)).unwrap();
        }
        let (here, next) = (2 * block, begin(block + 1));
        writeln!(text, "    jump bb{here}\nbb{here}:").unwrap();
        let back = begin(1 + random.below(block));
        let ahead = begin(block + 1 + random.below(blocks + 1 - block));
        let word = word(random, words);
        let test = format!("load.i32 r4 = [{word}]\n    eq.i32 r5 = r4, {}", random.below(2));
        match random.below(8) {
            0 | 1 => writeln!(text, "    jump bb{next}").unwrap(),
            2 => writeln!(text, "    jump bb{back}").unwrap(),
            // It waits.
            3 | 4 => writeln!(text, "    {test}\n    branch r5, bb{here}, bb{next}").unwrap(),
            5 => writeln!(text, "    {test}\n    branch r5, bb{ahead}, bb{next}").unwrap(),
            _ => writeln!(text, "    {test}\n    branch r5, bb{back}, bb{next}").unwrap(),
        }
    }
    let over = begin(blocks + 1);
    writeln!(text, "bb{over}:\n{end}    kernel.thread_exit\n    unreachable\n}}").unwrap();
    text
}

/// Threads with locks, loops, spinning, and much that no proposition reads.
pub fn busy_program(random: &mut Random) -> String {
    let others = [0, 1, 1, 1, 2, 2][random.below(6) as usize];
    let (mut start, mut end, mut text) = (String::new(), String::new(), String::new());
    // Sometimes a proposition belongs to one thread.
    let apart = random.one_in(3);
    let seen = |thread: usize| if apart { [["&x"; 2], ["&u"; 2], ["&y"; 2]][thread] } else { ["&x", "&y"] };
    for other in 0..others {
        writeln!(start, "    r1{other}: i32 = call @begin(@t{other})").unwrap();
        if random.one_in(3) {
            writeln!(end, "    call @join(r1{other})").unwrap();
        }
        let words = Words { seen: seen(other), own: ["&g0", "&g1"][other] };
        text += &thread(random, &format!("t{other}"), words, "", "");
    }
    text += &thread(random, "main", Words { seen: seen(2), own: "&g2" }, &start, &end);
    text += LIBRARY;
    if random.one_in(3) {
        // What no proposition reads lies beside what one does, in the same object.
        text = text.replace("&u", "&x+4").replace("&v", "&y+4");
        text = text.replace("global x: i32", "global x: i64").replace("global y: i32", "global y: i64");
    }
    text
}
