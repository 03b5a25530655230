//! The escape analysis against the machine: programs run under random schedules with every access visible; afterwards
//! no object may have been touched by an access that the analysis calls private in one thread, and by any access in
//! another, unless all of them only read. The programs are some of our own and those of the corpus.
//!
//! Needs clang; without it the tests say so and pass.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use raddle_clang::compile::{CompileOptions, DataModel, find_clang};
use raddle_ir::{Inst, Program};
use raddle_machine::{
    AccessEvent, AccessKind, CodePoint, Machine, Scene, Settings, ThreadIndex, Watch, pointer,
};

/// What one thread did with one object.
#[derive(Default, Clone, Copy)]
struct Touched {
    private: Option<CodePoint>,
    last: Option<CodePoint>,
    wrote: bool,
}

struct Witness {
    /// The program with the marks of the analysis; what runs has none.
    marked: Program,
    touched: HashMap<pointer::ObjectId, BTreeMap<u32, Touched>>,
    private: usize,
    visible: usize,
}

impl Watch for Witness {
    fn access(&mut self, scene: &Scene, event: &AccessEvent) {
        let visible = match &self.marked.function(scene.at.function).code[scene.at.pc as usize] {
            Inst::Load { access, .. }
            | Inst::Store { access, .. }
            | Inst::Update { access, .. }
            | Inst::CompareExchange { access, .. } => access.visible,
            Inst::MemoryCopy { visible, .. }
            | Inst::MemorySet { visible, .. }
            | Inst::VaStart { visible, .. }
            | Inst::VaCopy { visible, .. }
            | Inst::SetJump { visible, .. }
            | Inst::LongJump { visible, .. } => *visible,
            // Printing and formatting.
            Inst::Kernel { .. } => true,
            other => panic!("no access: {other:?}"),
        };
        let object = self.touched.entry(pointer::object(event.pointer)).or_default();
        let touched = object.entry(scene.thread.number).or_default();
        touched.wrote |= event.kind != AccessKind::Read;
        touched.last = Some(scene.at);
        if visible {
            self.visible += 1;
        } else {
            self.private += 1;
            touched.private = Some(scene.at);
        }
    }
}

impl Witness {
    fn judge(&self, name: &str) {
        for (object, threads) in &self.touched {
            let wrote = threads.values().any(|t| t.wrote);
            let Some((owner, touched)) = threads.iter().find(|(_, t)| t.private.is_some()) else { continue };
            if let Some((other, theirs)) = threads.iter().find(|(n, _)| *n != owner)
                && wrote
            {
                let place = |at: Option<CodePoint>| at.map(|at| raddle_places::place_text(&self.marked, at));
                panic!(
                    "{name}: {object:?} is private at {:?} in thread {owner}, and thread {other} was there at {:?}",
                    place(touched.private),
                    place(theirs.last)
                );
            }
        }
    }
}

/// A linear congruential generator: enough to mix schedules.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % limit.max(1)
    }
}

/// Runs it a few times (`whole`: to an end without faults); gives private and visible accesses that were executed.
fn check(name: &str, mut marked: Program, steps: u32, whole: bool) -> (usize, usize) {
    let settings = Settings { fuse_alone: false, local_limit: 1_000_000, ..Settings::default() };
    let Ok(machine) = Machine::new(Arc::new(marked.clone()), settings) else { return (0, 0) };
    raddle_analysis::mark_visible(&mut marked);
    let mut witness = Witness { marked, touched: HashMap::new(), private: 0, visible: 0 };
    for seed in 0..3 {
        let mut random = Random(seed);
        let (mut state, _) = machine.start(&mut witness);
        for _ in 0..steps {
            let mut ready = Vec::new();
            for index in 0..state.thread_count() {
                let index = ThreadIndex(index as u32);
                if machine.readiness(&mut state, index).can_step() {
                    ready.push(index);
                }
            }
            if ready.is_empty() || state.end().is_some() {
                break;
            }
            let thread = ready[random.below(ready.len() as u64) as usize];
            let last = state.thread(thread).pending.map(|request| request.last);
            let choice = last.map(|last| random.below(last.saturating_add(1)));
            machine.step(&mut state, thread, choice, &mut witness);
        }
        assert!(!whole || state.end().is_none(), "{name}: {:?}", state.end());
        witness.judge(name);
        witness.touched.clear();
    }
    (witness.private, witness.visible)
}

fn load(path: &Path, data_model: DataModel) -> Option<Program> {
    let options = CompileOptions { data_model, ..CompileOptions::default() };
    raddle_clang::load::load(&[path.to_path_buf()], &options, &Default::default()).ok().map(|l| l.program)
}

fn clang_is_here() -> bool {
    find_clang(None).map_err(|error| eprintln!("not tested: {error}")).is_ok()
}

const OWN: &str = r#"
#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct item { struct item *next; int value; char name[8]; };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct item *stack;
static _Thread_local int mine;
static _Thread_local int published;
static int *others, *of_main;
static const int table[] = {1, 2, 3};
static int limit = 3;

static int sum(int count, ...) {
    va_list list;
    va_start(list, count);
    int total = 0;
    while (count-- > 0) total += *va_arg(list, int *);
    va_end(list);
    return total;
}

static void push(struct item *item) {
    pthread_mutex_lock(&lock);
    item->next = stack;
    stack = item;
    pthread_mutex_unlock(&lock);
}

static void fill(struct item *item, int value) {
    item->value = value;
    memset(item->name, 'x', sizeof item->name);
    snprintf(item->name, sizeof item->name, "%d", value);
}

static void *worker(void *argument) {
    struct item local, on_stack, *new = malloc(sizeof *new);
    int numbers[3], *walk = numbers, one = 1, shared = 2;
    for (int i = 0; i < limit; i++) *walk++ = table[i] + (int)(long)argument;
    fill(&local, numbers[1]);
    fill(&on_stack, 2);
    *new = local;
    push(new);
    mine += sum(2, &one, &shared);
    errno = mine;
    pthread_mutex_lock(&lock);
    *others += 1;
    *of_main += 1;
    published++;
    stack->value += local.value;
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void) {
    pthread_t threads[3];
    int on_main = 5;
    others = &on_main;
    of_main = &published;
    published = on_main = 6;
    for (int i = 0; i < 3; i++) pthread_create(&threads[i], 0, worker, (void *)(long)i);
    on_main += strlen("done");
    for (int i = 0; i < 3; i++) pthread_join(threads[i], 0);
    return 0;
}
"#;

#[test]
fn our_own_program() {
    if !clang_is_here() {
        return;
    }
    let folder = std::env::temp_dir().join(format!("raddle-soundness-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join("own.c");
    std::fs::write(&path, OWN).unwrap();
    let programs = [DataModel::Lp64, DataModel::Ilp32].map(|model| load(&path, model));
    std::fs::remove_dir_all(&folder).unwrap();
    for program in programs {
        let (private, visible) = check("own.c", program.expect("it compiles"), 20_000, true);
        assert!(private > 0 && visible > 0, "{private} private, {visible} visible");
    }
}

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let path = entry.path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|e| e == "c") {
            found.push(path);
        }
    }
}

#[test]
fn the_corpus() {
    if !clang_is_here() {
        return;
    }
    let mut paths = Vec::new();
    sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/programs"), &mut paths);
    paths.sort();
    let (mut private, mut visible) = (0, 0);
    // A sample: each program is compiled.
    for path in paths.iter().step_by(6) {
        // Multi-file programs and those for other options do not load alone; others see to them.
        if let Some(program) = load(path, DataModel::Lp64) {
            let (p, v) = check(&path.display().to_string(), program, 2_000, false);
            private += p;
            visible += v;
        }
    }
    eprintln!("{private} private accesses, {visible} visible ones");
}
