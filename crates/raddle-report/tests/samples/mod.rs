//! Hand-made traces of the classic bugs, with the source they speak of.

use raddle_trace::*;
use std::collections::BTreeMap;

pub struct Sample {
    pub trace: Trace,
    pub file: &'static str,
    pub source: &'static str,
}

impl Sample {
    pub fn line(&self, file: &str, line: u32) -> Option<String> {
        (file == self.file).then(|| self.source.lines().nth(line as usize - 1).map(str::to_string))?
    }

    pub fn report(&self) -> Report {
        let mut report = Report { traces: vec![self.trace.clone()], ..Report::default() };
        for property in Property::default_set() {
            report.rows.push(if property == self.trace.property {
                PropertyResult::violated(Finding::new(property, 0))
            } else {
                let reason = "no violation in 1000 schedules; a proof needs another engine";
                PropertyResult::bounded(property, reason)
            });
        }
        report.assumptions.add(Assumption::NoAddressReuse);
        report.assumptions.add(Assumption::CreateNeverFails);
        report.bounds.schedules = Some(1000);
        report.stats.set("executions", 1000u64);
        report.stats.set("wall-ms", 35u64);
        report
    }
}

struct Builder {
    file: &'static str,
    functions: Vec<(u32, &'static str)>,
    steps: Vec<TraceStep>,
    held: BTreeMap<u32, Vec<String>>,
}

impl Builder {
    fn new(file: &'static str, functions: &[(u32, &'static str)]) -> Builder {
        Builder { file, functions: functions.to_vec(), steps: vec![], held: BTreeMap::new() }
    }

    fn place(&self, line: u32, column: u32) -> Place {
        let function =
            self.functions.iter().rev().find(|(first, _)| *first <= line).map_or("?", |(_, name)| name);
        Place::new(self.file, line, column).in_function(function)
    }

    fn step(&mut self, thread: u32, line: u32, event: Event) -> u64 {
        let held = self.held.entry(thread).or_default();
        match &event {
            Event::Lock { path, .. } => held.push(path.clone()),
            Event::Unlock { path, .. } => held.retain(|other| other != path),
            _ => {}
        }
        let index = self.steps.len() as u64;
        self.steps.push(TraceStep {
            index,
            thread,
            place: Some(self.place(line, 5)),
            library_call: None,
            events: vec![event],
            locks_held: self.held[&thread].clone(),
            frames: None,
        });
        index
    }

    fn finish(self, names: &[&str], created: &[u32], property: Property, fault: Fault) -> Trace {
        let threads = names.iter().enumerate().map(|(id, name)| ThreadInfo {
            id: id as u32,
            name: name.to_string(),
            parent: (id > 0).then_some(0),
            start_function: name.to_string(),
            created_at: (id > 0).then(|| self.place(created[id - 1], 5)),
        });
        Trace {
            tool_version: tool_version().into(),
            program: ProgramIdentity::default(),
            property,
            fault,
            threads: threads.collect(),
            script: ReplayScript::Machine { steps: vec![], settings: BTreeMap::new() },
            why: Vec::new(),
            cycle: None,
            sources: BTreeMap::new(),
            steps: self.steps,
        }
    }
}

fn read(path: &str, value: impl ToString) -> Event {
    Event::Read { path: path.into(), value: value.to_string(), order: None, location: None, from: None }
}

fn write(path: &str, old: impl ToString, new: impl ToString) -> Event {
    let (path, old, new) = (path.into(), Some(old.to_string()), new.to_string());
    Event::Write { path, old, new, order: None, location: None, from: None }
}

fn lock(path: &str) -> Event {
    Event::Lock { lock: "mutex".into(), path: path.into(), location: None }
}

fn unlock(path: &str) -> Event {
    Event::Unlock { lock: "mutex".into(), path: path.into(), location: None }
}

const LOST_UPDATE: &str = "\
#include <assert.h>
#include <pthread.h>

static int x;

static void *worker(void *unused)
{
    x = x + 1;
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, worker, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(x == 2);
    return 0;
}
";

pub fn lost_update() -> Sample {
    let mut b = Builder::new("lost_update.c", &[(6, "worker"), (12, "main")]);
    b.step(0, 15, Event::Spawn { child: 1 });
    b.step(0, 16, Event::Spawn { child: 2 });
    b.step(1, 8, read("x", 0));
    b.step(2, 8, read("x", 0));
    b.step(2, 8, write("x", 0, 1));
    b.step(2, 9, Event::ThreadEnd);
    b.step(1, 8, write("x", 1, 1));
    b.step(1, 9, Event::ThreadEnd);
    b.step(0, 17, Event::Join { child: 1 });
    b.step(0, 18, Event::Join { child: 2 });
    b.step(0, 19, read("x", 1));
    let fault = Fault {
        code: "assertion".into(),
        message: "assertion `x == 2` failed".into(),
        place: Some(b.place(19, 5)),
        thread: Some(0),
        stack: vec![],
        details: FaultDetails::None,
    };
    b.step(0, 19, Event::Fault { code: "assertion".into(), message: "assertion `x == 2` failed".into() });
    let trace = b.finish(&["main", "worker", "worker"], &[15, 16], Property::Assert, fault);
    Sample { trace, file: "lost_update.c", source: LOST_UPDATE }
}

const DEADLOCK: &str = "\
#include <pthread.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t b = PTHREAD_MUTEX_INITIALIZER;

static void *left(void *unused)
{
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b);
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    return unused;
}

static void *right(void *unused)
{
    pthread_mutex_lock(&b);
    pthread_mutex_lock(&a);
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
    return unused;
}

int main(void)
{
    pthread_t l, r;
    pthread_create(&l, NULL, left, NULL);
    pthread_create(&r, NULL, right, NULL);
    pthread_join(l, NULL);
    pthread_join(r, NULL);
    return 0;
}
";

pub fn deadlock() -> Sample {
    let mut b = Builder::new("ab_ba.c", &[(6, "left"), (15, "right"), (24, "main")]);
    b.step(0, 27, Event::Spawn { child: 1 });
    b.step(0, 28, Event::Spawn { child: 2 });
    b.step(1, 8, lock("a"));
    b.step(2, 17, lock("b"));
    let blocked =
        |thread, line, call: &str, waits_for: &str, owner, took: Option<u32>, held: &[&str]| BlockedThread {
            thread,
            call: call.into(),
            waits_for: waits_for.into(),
            owner: Some(owner),
            owner_took_it_at: took.map(|line| b.place(line, 5)),
            place: Some(b.place(line, 5)),
            stack: vec![b.place(line, 5)],
            locks_held: held.iter().map(|lock| lock.to_string()).collect(),
        };
    let fault = Fault {
        code: "deadlock".into(),
        message: "3 threads are blocked forever".into(),
        place: Some(b.place(18, 5)),
        thread: Some(2),
        stack: vec![],
        details: FaultDetails::Deadlock {
            scope: DeadlockScope::Global,
            blocked: vec![
                blocked(0, 29, "pthread_join(l, NULL)", "the end of T1", 1, None, &[]),
                blocked(1, 9, "pthread_mutex_lock(&b)", "mutex b", 2, Some(17), &["a"]),
                blocked(2, 18, "pthread_mutex_lock(&a)", "mutex a", 1, Some(8), &["b"]),
            ],
            cycle: vec![1, 2],
        },
    };
    let trace = b.finish(&["main", "left", "right"], &[27, 28], Property::Deadlock, fault);
    Sample { trace, file: "ab_ba.c", source: DEADLOCK }
}

const RACE: &str = "\
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static struct { int hits; } page;

static void count(int n)
{
    page.hits += n;
}

static void *careful(void *unused)
{
    pthread_mutex_lock(&m);
    count(1);
    pthread_mutex_unlock(&m);
    return unused;
}

static void *careless(void *unused)
{
    if (page.hits > 0)
        return NULL;
    return unused;
}
";

pub fn race() -> Sample {
    let mut b = Builder::new("race.c", &[(6, "count"), (11, "careful"), (19, "careless"), (26, "main")]);
    b.step(0, 27, Event::Spawn { child: 1 });
    b.step(0, 28, Event::Spawn { child: 2 });
    b.step(1, 13, lock("m"));
    b.step(1, 8, read("page.hits", 0));
    let first = b.step(1, 8, write("page.hits", 0, 1));
    let second = b.step(2, 21, read("page.hits", 1));
    let access = |thread, write, stack: &[u32], step, held: &[&str]| {
        let stack: Vec<Place> = stack.iter().map(|line| b.place(*line, 15)).collect();
        Box::new(Access {
            thread,
            write,
            order: None,
            volatile: false,
            size: 4,
            place: stack.first().cloned(),
            stack,
            locks_held: held.iter().map(|lock| lock.to_string()).collect(),
            step: Some(step),
        })
    };
    let fault = Fault {
        code: "race".into(),
        message: "data race on page.hits".into(),
        place: Some(b.place(21, 15)),
        thread: Some(2),
        stack: vec![],
        details: FaultDetails::Race {
            object: "page.hits".into(),
            declared: Some(Place::new("race.c", 4, 29)),
            first: access(1, true, &[8, 14], first, &["m"]),
            second: access(2, false, &[21], second, &[]),
        },
    };
    b.step(2, 21, Event::Fault { code: "race".into(), message: "races with T1 above".into() });
    let trace = b.finish(&["main", "careful", "careless"], &[27, 28], Property::Race, fault);
    Sample { trace, file: "race.c", source: RACE }
}

/// Seven threads: too many for columns. The first runs long.
pub fn many_threads() -> Sample {
    let mut b = Builder::new("ring.c", &[(1, "station"), (20, "main")]);
    for child in 1..7 {
        b.step(0, 22, Event::Spawn { child });
    }
    for round in 0..40u32 {
        b.step(1, 2 + round % 7, write("token", round, round + 1));
    }
    b.step(1, 10, lock("gate"));
    for thread in 2..7 {
        b.step(thread, 4, read("token", 40));
    }
    b.step(6, 5, Event::Output { text: "done: \x1b[31m40\n".into() });
    b.step(6, 6, Event::Choice { text: "rand()".into(), value: "7".into() });
    let fault = Fault {
        code: "signed-overflow".into(),
        message: "signed overflow: 2147483647 + 1 does not fit in int".into(),
        place: Some(b.place(7, 12)),
        thread: Some(6),
        stack: vec![b.place(7, 12), b.place(22, 5)],
        details: FaultDetails::None,
    };
    let names = ["main", "station", "station", "station", "station", "station", "station"];
    let trace = b.finish(&names, &[22; 6], Property::Overflow, fault);
    Sample { trace, file: "ring.c", source: "static int token;\n" }
}

/// One thread runs long while it takes and gives back a lock; read in a narrow terminal.
pub fn long_run() -> Sample {
    let mut b = Builder::new("long.c", &[(1, "main"), (50, "helper")]);
    b.step(0, 3, Event::Spawn { child: 1 });
    for round in 0..30u32 {
        b.step(0, 10 + round, write(&format!("table[{round}].length"), 0, round * 1000));
        if round == 15 {
            b.step(0, 60, lock("table_lock"));
            b.step(0, 62, unlock("table_lock"));
        }
    }
    b.step(1, 51, read("table[3].length", 3000));
    let fault = Fault {
        code: "use-after-free".into(),
        message: "read of freed memory".into(),
        place: Some(b.place(52, 9)),
        thread: Some(1),
        stack: vec![],
        details: FaultDetails::Memory {
            object: "table[3]".into(),
            allocated: Some(b.place(5, 9)),
            freed: Some(b.place(40, 9)),
            freed_by: Some(0),
        },
    };
    let trace = b.finish(&["main", "helper"], &[3], Property::Memsafety, fault);
    Sample { trace, file: "long.c", source: "" }
}
