//! How places, values and calls are shown: small C programs, run on the machine, one line of expectation a line of
//! source. Needs clang; without it the tests say so and pass.

use std::sync::{Arc, LazyLock};

use raddle_clang::compile::{CompileOptions, DataModel, OptLevel, find_clang, source_to_llvm_text};
use raddle_clang::lower::{Origin, Unit, link};
use raddle_ir::{FunctionId, Program};
use raddle_machine::{AccessEvent, AccessKind, Machine, Scene, Settings, Value, Watch};
use raddle_places::*;

/// What was seen at a line: `name` or `name = value` for each access.
#[derive(Default)]
struct Recorder {
    reads: Vec<(u32, String)>,
    writes: Vec<(u32, String)>,
    /// By the object, not by the expression.
    objects: Vec<(u32, String)>,
    calls: Vec<(u32, String)>,
}

/// No names: heap objects are described by where they were allocated.
fn names() -> &'static HeapNames {
    static NONE: LazyLock<HeapNames> = LazyLock::new(HeapNames::default);
    &NONE
}

impl Watch for Recorder {
    fn access(&mut self, scene: &Scene, event: &AccessEvent) {
        let (_, line, _, _) = place_text(&scene.machine.program, scene.at);
        let path = describe_access(scene, names(), event.pointer, event.length);
        let ty = access_type(scene, names(), event.pointer, event.length);
        let value = describe_value(View::of(scene, names()), ty, event.width, event.new);
        let list = if event.kind == AccessKind::Read { &mut self.reads } else { &mut self.writes };
        list.push((line, format!("{path} = {value}")));
        let object = describe_pointer(View::of(scene, names()), event.pointer, None);
        let ty = type_at(View::of(scene, names()), event.pointer);
        let value = describe_value(View::of(scene, names()), ty, event.width, event.new);
        self.objects.push((line, format!("{object} = {value}")));
        // A call of the user is on the way, if there is more than one frame of the program.
        let caller = scene.thread.frames.iter().rev().nth(1);
        if let Some(frame) = caller {
            let call = raddle_machine::CodePoint { function: frame.function, pc: frame.pc - 1 };
            let (_, line, _, _) = place_text(&scene.machine.program, call);
            let text = describe_call(View::of(scene, names()), scene.thread, call);
            self.calls.push((line, text));
        }
    }
    fn library_return(&mut self, scene: &Scene, _: FunctionId, _: Option<Value>) {
        let (_, line, _, _) = place_text(&scene.machine.program, scene.at);
        let text = describe_call(View::of(scene, names()), scene.thread, scene.at);
        self.calls.push((line, text));
    }
}

fn options() -> Option<CompileOptions> {
    match find_clang(None) {
        Ok(_) => Some(CompileOptions::default()),
        Err(error) => {
            eprintln!("not tested: {error}");
            None
        }
    }
}

fn compile(source: &str, options: &CompileOptions) -> Program {
    let text = source_to_llvm_text("test.c", source, options).unwrap();
    let module = raddle_clang::llvm::parse(&text.bytes).unwrap();
    let unit = Unit { name: "test.c".into(), module, origin: Origin::Program };
    link(&[unit], &[]).unwrap()
}

fn run(program: Program) -> Recorder {
    let machine = Machine::new(Arc::new(program), Settings::default()).unwrap();
    let mut recorder = Recorder::default();
    let (mut state, _) = machine.start(&mut recorder);
    for _ in 0..1000 {
        let running: Vec<_> = state.threads().filter(|(_, t)| t.is_running()).map(|(i, _)| i).collect();
        for thread in running {
            machine.step(&mut state, thread, Some(0), &mut recorder);
        }
    }
    assert!(state.end().is_none(), "{:?}", state.end());
    recorder
}

/// Runs the program; each `//! text` in its source must be among what was seen at its line. Several by `;`.
/// Words: `r` a read, `w` a write, `o` by the object, `c` a call.
#[track_caller]
fn check_with(source: &str, options: &CompileOptions) {
    let recorder = run(compile(source, options));
    check_lines(source, &recorder);
}

#[track_caller]
fn check_lines(source: &str, recorder: &Recorder) {
    let mut expectations = 0;
    for (index, line) in source.lines().enumerate() {
        let number = index as u32 + 1;
        let Some((_, expected)) = line.split_once("//! ") else { continue };
        for expected in expected.split("; ") {
            let (kind, text) = expected.split_once(' ').unwrap();
            let seen = match kind {
                "r" => &recorder.reads,
                "w" => &recorder.writes,
                "o" => &recorder.objects,
                "c" => &recorder.calls,
                _ => panic!("{expected}"),
            };
            let seen: Vec<&str> =
                seen.iter().filter(|(l, _)| *l == number).map(|(_, t)| t.as_str()).collect();
            assert!(seen.contains(&text), "line {number}: {line}\nexpected {kind}: {text}\nseen: {seen:#?}");
            expectations += 1;
        }
    }
    assert!(expectations > 0);
}

#[track_caller]
fn check(source: &str) {
    if let Some(options) = options() {
        check_with(source, &options);
        check_with(source, &CompileOptions { data_model: DataModel::Ilp32, ..options });
    }
}

#[test]
fn variables_and_members() {
    check(
        "struct inner { int len; char tag; };
struct node { struct node *next; int val; struct inner slot[4]; };
struct node g;
struct node *head;
int counter = 4;
unsigned limit;
int grid[3][4];
unsigned char bytes[3];
_Bool flag;
double ratio;
float half;
enum color { RED, GREEN = 5 } color;
long long big;
int *place;
struct node *nodes[2];
void use(struct node *q, int i) {
  q->slot[i].len = 3;           //! w q->slot[2].len = 3; o g.slot[2].len = 3
  counter++;                    //! r counter = 4; w counter = 5; o counter = 5
  limit = -1;                   //! w limit = 4294967295
  grid[i][2] = -7;              //! w grid[2][2] = -7; o grid[2][2] = -7
  (&grid[0])[1][i] = 1;         //! w grid[1][2] = 1
  bytes[1] = 'a';               //! w bytes[1] = 97 'a'
  bytes[2] = 200;               //! w bytes[2] = 200
  bytes[0] = 0;                 //! w bytes[0] = 0 '\\0'
  flag = 1;                     //! w flag = true; o flag = true
  ratio = 1.5;                  //! w ratio = 1.5
  half = 0.25f;                 //! w half = 0.25
  color = GREEN;                //! w color = GREEN
  color = (enum color)3;        //! w color = 3
  big = -5000000000;            //! w big = -5000000000
  head = q;                     //! w head = &g
  head->next = 0;               //! r head = &g; w head->next = NULL; o g.next = NULL
  head->slot[1].tag = 'b';      //! w head->slot[1].tag = 98 'b'
  place = &g.val;               //! w place = &g.val
  *place = 6;                   //! w *place = 6; o g.val = 6
  place = &grid[1][0];          //! w place = &grid[1][0]
  place[2] = 8;                 //! w place[2] = 8; o grid[1][2] = 8
  nodes[1] = q;                 //! w nodes[1] = &g
  nodes[1]->val = 9;            //! w nodes[1]->val = 9
}
int main(void) { use(&g, 2); return 0; }",
    );
}

#[test]
fn locals_and_lists() {
    check(
        "struct node { struct node *next; int val; };
struct node *start;
void through(struct node **pp, int *x) {
  (*pp)->val = 2;               //! w (*pp)->val = 2; o last.val = 2
  *x = 4;                       //! w *x = 4; o x = 4
}
int sum(struct node *list) {
  int total = 0;
  for (struct node *n = list; n; n = n->next)  //! r n->next = &last; r n->next = NULL
    total += n->val;            //! r n->val = 1; r n->val = 2
  return total;
}
int main(void) {
  struct node last = {0, 1};
  struct node first = {&last, 1}; //! w first.next = &last; w first.val = 1
  struct node *p = &first;
  int x = 5;                    //! w x = 5
  int a[3];
  int *q = a;
  start = p;                    //! w start = &first
  struct node *t = &last;
  struct node **pt = &t;
  through(&t, &x);              //! c through(&t, &x)
  p->next->val = 2;             //! w p->next->val = 2; r p->next = &last; o last.val = 2
  start->next->val = 2;         //! w start->next->val = 2
  a[x - 2] = 7;                 //! w a[2] = 7
  *q++ = 1;                     //! w *q = 1; o a[0] = 1
  *q++ = 2;                     //! w *q = 2; o a[1] = 2
  q[-1] = 3;                    //! w q[-1] = 3; o a[1] = 3
  p = p->next;                  //! r p->next = &last
  (*pt)->val = 2;               //! w (*pt)->val = 2
  int s = sum(&first);          //! c sum(&first)
  return s - 3;
}",
    );
}

#[test]
fn unions_and_bit_fields() {
    check(
        "union number { int i; char c[4]; };
struct packed { unsigned char a : 3, b : 5; int d; unsigned e : 7; };
struct outer { union { int x; float f; }; struct { int y; }; };
union number n;
struct packed p;
struct outer o;
struct outer *po = &o;
struct tail { int count; int item[]; };
int main(void) {
  n.i = 3;                      //! w n.i = 3; o n.i = 3
  p.d = 1;                      //! w p.d = 1
  p.e = 2;                      //! w p.e = 2
  p.a = 2;                      //! w p.{a, b} = 2
  o.x = 1;                      //! w o.x = 1
  po->y = 2;                    //! w po->y = 2
  return 0;
}",
    );
}

#[test]
fn heap_thread_locals_and_functions() {
    check(
        "#include <stddef.h>
void *__raddle_alloc(size_t size, int kind);
void __raddle_free(void *);
struct node { struct node *next; int val; };
_Thread_local struct node own;
_Thread_local int errors[2];
void (*action)(void);
void *raw;
const char *text;
char buffer[8];
char *where;
void act(void) { errors[1]++; } //! r errors[1] = 0; w errors[1] = 1; o errors[1] = 1
int main(void) {
  struct node *h = __raddle_alloc(sizeof *h, 0);
  h->val = 3;                   //! w h->val = 3
  h->next = h;                  //! w h->next = heap object from test.c:14
  h->next->val = 4;             //! w h->next->val = 4
  int *numbers = __raddle_alloc(40, 0);
  numbers[4] = 1;               //! w numbers[4] = 1; o heap object from test.c:18 + 16 bytes = 1
  raw = numbers + 1;            //! w raw = heap object from test.c:18 + 4 bytes
  raw = (void *)3;              //! w raw = (void *)3
  ((struct node *)raw == h) ? own.val = 1 : (own.val = 2); //! w own.val = 2; o own.val = 2
  action = act;                 //! w action = act
  action();                     //! c act()
  text = \"hi \\\"you\\\"\";        //! w text = \"hi \\\"you\\\"\"
  where = buffer;               //! w where = buffer
  where = &buffer[2];           //! w where = &buffer[2]
  __raddle_free(h);
  raw = h;                      //! w raw = a heap object that was freed
  return 0;
}",
    );
}

#[test]
fn indeterminate_values() {
    check(
        "int g; int h;
int main(void) {
  int x;
  int *p = &x;
  g = *p;                       //! r *p = ?; w g = ?; o x = ?
  return 0;
}",
    );
}

#[test]
fn calls() {
    check(
        "typedef struct { int owner; } lock_t;
lock_t m; lock_t locks[2]; int g;
struct q { lock_t lock; char name[4]; } q;
void lock(lock_t *l) { l->owner = 1; }
void touch(int a, unsigned b, char *s, double d, struct q *p, int *n) { g = 1; }
void print(const char *format, ...) { g = 2; }
void many(const char *a, const char *b, const char *c) { g = 2; }
int main(void) {
  int n = 3;
  lock_t *pl = &m;
  struct q *pq = &q;
  lock(&m);                     //! c lock(&m)
  lock(&locks[1]);              //! c lock(&locks[1])
  lock(pl);                     //! c lock(pl)
  lock(&pq->lock);              //! c lock(&pq->lock)
  touch(-1, -1, q.name, 0.5, pq, &n);  //! c touch(-1, 4294967295, q.name, 0.5, pq, &n)
  touch(n, 2, 0, n, &q, 0);     //! c touch(3, 2, NULL, 3, &q, NULL)
  print(\"%d %s %f\\n\", -2, \"x\", 1.5, &n);   //! c print(\"%d %s %f\\n\", -2, \"x\", 1.5, &n)
  print(\"0123456789012345678901234567890123456789 and more\");  //! c print(\"0123456789012345678901234567890123456789…\")
  many(\"012345678901234567890123456789\", \"012345678901234567890123456789\", \"012345678901234567890123456789\"); //! c many(\"012345678901234567890123456789\", \"012345678901234567890123456789\", …)
  return 0;
}",
    );
}

#[test]
fn the_optimiser_leaves_objects_at_least() {
    let Some(options) = options() else { return };
    let source = "struct s { int a[4]; } g; int n = 2;
__attribute__((noinline)) void f(struct s *p, int i) {
  p->a[i] = 5;                  //! o g.a[2] = 5
}
int main(void) { f(&g, n); return 0; }";
    check_with(source, &CompileOptions { optimize: OptLevel::O2, ..options });
}

#[test]
fn calls_of_the_library() {
    let Some(options) = options() else { return };
    let source = "#include <pthread.h>
pthread_mutex_t m; pthread_t t[2]; int shared; struct queue { pthread_mutex_t lock; int n; } q, *pq = &q;
static void *worker(void *argument) {
  pthread_mutex_lock(&m);       //! c pthread_mutex_lock(&m)
  shared += (int)(long)argument;
  pthread_mutex_unlock(&m);
  return 0;
}
int main(void) {
  pthread_t one;
  pthread_create(&one, 0, worker, (void *)3);   //! c pthread_create(&one, NULL, worker, (void *)3)
  pthread_create(&t[1], 0, worker, &shared);    //! c pthread_create(&t[1], NULL, worker, &shared)
  pthread_join(one, 0);         //! c pthread_join(one, NULL)
  pthread_mutex_lock(&q.lock);  //! c pthread_mutex_lock(&q.lock)
  pthread_mutex_unlock(&pq->lock);  //! c pthread_mutex_unlock(&pq->lock)
  return 0;
}
";
    let folder = std::env::temp_dir().join(format!("raddle-places-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join("library.c");
    std::fs::write(&path, source).unwrap();
    let loaded = raddle_clang::load::load(&[path], &options, &Default::default());
    std::fs::remove_dir_all(&folder).unwrap();
    let recorder = run(loaded.unwrap_or_else(|error| panic!("{error}")).program);
    check_lines(source, &recorder);
}
