//! The race monitor against the definition: random programs under random schedules; happens-before as the transitive
//! closure of its edges over the whole list of events, and all pairs of accesses compared.

mod support;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt::Write;

use raddle_ir::MemoryOrder;
use raddle_machine::{AccessEvent, AccessKind, RaceMonitor, Scene, ThreadIndex, Watch};
use support::{Random, machine, run};

#[derive(Clone, Debug)]
enum What {
    Access { kind: AccessKind, pointer: u64, length: u32, order: MemoryOrder, section: bool },
    Fence(MemoryOrder),
    Acquire(u64, i32),
    Release(u64, i32),
    Enter,
    Leave,
    Spawn(ThreadIndex),
}

/// All events, in order; accesses with their sequence number.
#[derive(Default)]
struct Log {
    events: Vec<(ThreadIndex, What, u64)>,
    sequence: u64,
}

impl Log {
    fn add(&mut self, scene: &Scene, what: What) {
        self.events.push((scene.index, what, self.sequence));
    }
}

impl Watch for Log {
    fn access(&mut self, scene: &Scene, e: &AccessEvent) {
        self.sequence += 1;
        let AccessEvent { kind, pointer, length, order, in_section: section, .. } = *e;
        self.add(scene, What::Access { kind, pointer, length, order, section });
    }
    fn free(&mut self, scene: &Scene, pointer: u64, length: u32, section: bool) {
        self.sequence += 1;
        let order = MemoryOrder::NotAtomic;
        self.add(scene, What::Access { kind: AccessKind::Write, pointer, length, order, section });
    }
    fn fence(&mut self, scene: &Scene, order: MemoryOrder) {
        self.add(scene, What::Fence(order));
    }
    fn acquire(&mut self, scene: &Scene, o: u64, c: i32) {
        self.add(scene, What::Acquire(o, c));
    }
    fn release(&mut self, scene: &Scene, o: u64, c: i32) {
        self.add(scene, What::Release(o, c));
    }
    fn atomic_section(&mut self, scene: &Scene, entered: bool) {
        self.add(scene, if entered { What::Enter } else { What::Leave });
    }
    fn spawn(&mut self, scene: &Scene, child: ThreadIndex, _: u32) {
        self.add(scene, What::Spawn(child));
    }
}

fn acquires(order: MemoryOrder) -> bool {
    use MemoryOrder::*;
    [Acquire, AcquireRelease, SequentiallyConsistent].contains(&order)
}
fn releases(order: MemoryOrder) -> bool {
    use MemoryOrder::*;
    [Release, AcquireRelease, SequentiallyConsistent].contains(&order)
}

/// For each event, the set of events that happen before it or are it.
fn happens_before(log: &Log) -> Vec<Vec<bool>> {
    let n = log.events.len();
    let mut before: Vec<Vec<bool>> = Vec::with_capacity(n);
    let mut last_of: HashMap<ThreadIndex, usize> = HashMap::new();
    let mut born: HashMap<ThreadIndex, usize> = HashMap::new();
    let mut fence_of: HashMap<ThreadIndex, usize> = HashMap::new();
    // What the relaxed loads of a thread could synchronise with.
    let mut pending: HashMap<ThreadIndex, Vec<usize>> = HashMap::new();
    // For each byte, the events that a read of its present value synchronises with.
    let mut heads: HashMap<u64, Vec<usize>> = HashMap::new();
    let mut released: HashMap<(u64, i32), Vec<usize>> = HashMap::new();
    let mut left: Vec<usize> = Vec::new();
    for (i, (thread, what, _)) in log.events.iter().enumerate() {
        let mut edges: Vec<usize> = Vec::new();
        edges.extend(last_of.get(thread).or_else(|| born.get(thread)));
        match what {
            What::Access { section: true, .. } => {}
            What::Access { kind, pointer, length, order, .. } => {
                let bytes = || *pointer..*pointer + *length as u64;
                let atomic = *order != MemoryOrder::NotAtomic;
                if atomic && *kind != AccessKind::Write {
                    for head in bytes().flat_map(|b| heads.get(&b).cloned().unwrap_or_default()) {
                        if acquires(*order) {
                            edges.push(head);
                        } else {
                            pending.entry(*thread).or_default().push(head);
                        }
                    }
                }
                if *kind != AccessKind::Read {
                    let own = if !atomic {
                        None
                    } else if releases(*order) {
                        Some(i)
                    } else {
                        fence_of.get(thread).copied()
                    };
                    for byte in bytes() {
                        let heads = heads.entry(byte).or_default();
                        if *kind != AccessKind::Update {
                            heads.clear();
                        }
                        heads.extend(own);
                    }
                }
            }
            What::Fence(order) => {
                if acquires(*order) {
                    edges.extend(pending.get(thread).cloned().unwrap_or_default());
                }
                if releases(*order) {
                    fence_of.insert(*thread, i);
                }
            }
            What::Acquire(o, c) => edges.extend(released.get(&(*o, *c)).cloned().unwrap_or_default()),
            What::Release(o, c) => released.entry((*o, *c)).or_default().push(i),
            What::Enter => edges.extend(&left),
            What::Leave => left.push(i),
            What::Spawn(child) => {
                born.insert(*child, i);
            }
        }
        let mut row = vec![false; n];
        row[i] = true;
        for edge in edges {
            for (to, from) in row.iter_mut().zip(&before[edge]) {
                *to |= from;
            }
        }
        before.push(row);
        last_of.insert(*thread, i);
    }
    before
}

/// The accesses that race with an earlier one, by sequence number, each with all those.
fn all_races(log: &Log) -> BTreeMap<u64, BTreeSet<u64>> {
    let before = happens_before(log);
    let mut found: BTreeMap<u64, BTreeSet<u64>> = BTreeMap::new();
    for (j, (tj, wj, sj)) in log.events.iter().enumerate() {
        let What::Access { kind: kj, pointer: pj, length: lj, order: oj, section: false } = wj else {
            continue;
        };
        for (i, (ti, wi, si)) in log.events[..j].iter().enumerate() {
            let What::Access { kind: ki, pointer: pi, length: li, order: oi, section: false } = wi else {
                continue;
            };
            let overlap = *pi < pj + *lj as u64 && *pj < pi + *li as u64;
            let write = *ki != AccessKind::Read || *kj != AccessKind::Read;
            let plain = *oi == MemoryOrder::NotAtomic || *oj == MemoryOrder::NotAtomic;
            if ti != tj && overlap && write && plain && !before[j][i] {
                found.entry(*sj).or_default().insert(*si);
            }
        }
    }
    found
}

/// Threads 1.. of a program: who creates whom, and straight-line bodies over two words of shared bytes.
fn random_program(random: &mut Random) -> String {
    let threads = 2 + random.below(3);
    let mut text =
        String::from("global x: 8\nglobal y: 8\nglobal z: 16\nglobal m: i64\nglobal n: i64\nglobal p: ptr\n");
    (0..threads).for_each(|t| writeln!(text, "global t{t}: i64").unwrap());
    let children: Vec<Vec<usize>> = {
        let mut children = vec![Vec::new(); threads];
        (1..threads).for_each(|t| children[random.below(t)].push(t));
        children
    };
    for (t, children) in children.iter().enumerate() {
        let name = if t == 0 { "main".to_string() } else { format!("f{t}") };
        let parameter = if t == 0 { "" } else { "r0: ptr" };
        writeln!(text, "function {name}({parameter}) {{\nbb0:").unwrap();
        if t == 0 {
            text += "    r9: ptr = kernel.alloc 8:i64, 1:i64\n    store.ptr [&p] = r9 private\n";
        }
        let mut actions: Vec<String> = Vec::new();
        for _ in 0..1 + random.below(7) {
            actions.push(random_action(random));
        }
        let mut at = 0;
        for (i, child) in children.iter().enumerate() {
            at = at + random.below(actions.len() - at + 1);
            actions.insert(at, format!("r{}: i32 = call @start(@f{child}, &t{child})", 20 + i));
            at += 1;
            if random.one_in(2) {
                let join = at + random.below(actions.len() - at + 1);
                actions.insert(join, format!("call @join(r{}, &t{child})", 20 + i));
            }
        }
        actions.iter().for_each(|a| writeln!(text, "    {a}").unwrap());
        let end = if t == 0 { "kernel.thread_exit\n    unreachable" } else { "call @done(r0)\n    return" };
        writeln!(text, "    {end}\n}}").unwrap();
    }
    text
}

fn random_access(random: &mut Random) -> String {
    let (width, size) = *random.pick(&[("i8", 1), ("i8", 1), ("i16", 2), ("i32", 4), ("i64", 8)]);
    let global = *random.pick(&["x", "x", "y", "z"]);
    let at = random.below((if global == "z" { 16 } else { 8 }) / size) * size;
    let atomic = random.one_in(2);
    match random.below(if atomic { 5 } else { 3 }) {
        0 => {
            let order = if atomic { *random.pick(&["relaxed", "acquire", "acquire", "seq_cst"]) } else { "" };
            format!("load.{width} r1{width}: {width} = [&{global}+{at}] {order}")
        }
        1 | 2 => {
            let order = if atomic { *random.pick(&["relaxed", "release", "release", "seq_cst"]) } else { "" };
            format!("store.{width} [&{global}+{at}] = {} {order}", random.below(3))
        }
        3 => {
            let order = *random.pick(&["relaxed", "acquire", "release", "acq_rel", "seq_cst"]);
            format!("update.add.{width} r1{width}: {width} = [&{global}+{at}], 1 {order}")
        }
        _ => {
            let order = *random.pick(&["relaxed", "acq_rel", "seq_cst"]);
            let (a, b) = (random.below(3), random.below(3));
            format!("compare_exchange.{width} r1{width}, r8 = [&{global}+{at}], {a}, {b} {order}")
        }
    }
}

fn random_action(random: &mut Random) -> String {
    let some = |random: &mut Random| {
        (0..1 + random.below(3)).map(|_| random_access(random)).collect::<Vec<_>>().join("\n    ")
    };
    let lines = match random.below(14) {
        0 | 1 => {
            let m = *random.pick(&["m", "n"]);
            format!("call @lock(&{m})\n    {}\n    call @unlock(&{m})", some(random))
        }
        2 => format!("kernel.atomic_begin\n    {}\n    kernel.atomic_end", some(random)),
        3 => format!("kernel.begin\n    {}\n    kernel.end", some(random)),
        4 | 5 => format!("fence {}", random.pick(&["acquire", "release", "acq_rel", "seq_cst"])),
        6 => "memory_copy [&z+3] = [&y], 7".into(),
        7 => "load.ptr r9 = [&p] private\n    load.i8 r1i8: i8 = [r9]".into(),
        8 if random.one_in(3) => "load.ptr r9 = [&p] private\n    kernel.free r9".into(),
        _ => random_access(random),
    };
    // One register a width.
    ["i8", "i16", "i32", "i64"]
        .iter()
        .enumerate()
        .fold(lines, |text, (i, width)| text.replace(&format!("r1{width}"), &format!("r{}", 10 + i)))
}

#[test]
fn random_programs_agree_with_the_definition() {
    let (mut runs, mut racy, mut pairs) = (0, 0, 0);
    for seed in 0..1500 {
        let mut random = Random::new(seed + 77);
        let text = random_program(&mut random);
        let machine = machine(&text);
        for schedule in 0..4 {
            let mut monitor = RaceMonitor::new();
            let mut log = Log::default();
            run(&machine, schedule, &mut (&mut monitor, &mut log));
            let expected = all_races(&log);
            let mut found: BTreeMap<u64, BTreeSet<u64>> = BTreeMap::new();
            for race in monitor.races() {
                found.entry(race.second.sequence).or_default().insert(race.first.sequence);
            }
            let keys = |m: &BTreeMap<u64, BTreeSet<u64>>| m.keys().copied().collect::<Vec<_>>();
            // Every instruction is executed once, except the words of a copy.
            let explain = || format!("seed {seed}, schedule {schedule}\n{text}\n{:#?}", log.events);
            if !text.contains("memory_copy") {
                assert_eq!(keys(&found), keys(&expected), "{}", explain());
            }
            assert_eq!(found.is_empty(), expected.is_empty(), "{}", explain());
            for (second, firsts) in &found {
                assert!(firsts.is_subset(&expected[second]), "{}", explain());
            }
            runs += 1;
            racy += !found.is_empty() as u32;
            pairs += expected.values().map(|f| f.len()).sum::<usize>();
        }
    }
    // The programs are neither all racy nor all safe.
    assert!(runs >= 2000 && racy > runs / 5 && racy < runs * 9 / 10, "{racy} of {runs}, {pairs} pairs");
}
