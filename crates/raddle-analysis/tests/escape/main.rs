//! The escape analysis, rule by rule. Every access of a program below ends in `// private` or `// visible`: what the
//! analysis must find. `private` where it is not so would be unsound; `visible` where nothing is shared is a limit that
//! the test pins down.
//!
//! A test of soundness over whole programs needs the machine and lives with its users: under a listener that sees all
//! accesses, no object may be touched by a private-marked access of one thread and by any access of another, unless
//! all only read.

mod observations;

use raddle_analysis::{Summary, mark_visible};
use raddle_ir::{Inst, Program};

fn marks(program: &Program) -> Vec<bool> {
    let code = program.functions.iter().flat_map(|f| &f.code);
    code.filter_map(|inst| match inst {
        Inst::Load { access, .. }
        | Inst::Store { access, .. }
        | Inst::Update { access, .. }
        | Inst::CompareExchange { access, .. } => Some(access.visible),
        Inst::MemoryCopy { visible, .. } | Inst::MemorySet { visible, .. } => Some(*visible),
        _ => None,
    })
    .collect()
}

/// Marks the program and compares with the comments.
#[track_caller]
fn check(text: &str) -> Summary {
    let mut program = match raddle_ir::text::parse(text) {
        Ok(program) => program,
        Err(error) => panic!("{error}\n{text}"),
    };
    if let Err(errors) = raddle_ir::verify::verify(&program) {
        panic!("{}\n{text}", errors[0]);
    }
    let summary = mark_visible(&mut program);
    let words = ["load.", "store.", "update.", "compare_exchange.", "memory_copy ", "memory_set "];
    let lines: Vec<&str> =
        text.lines().map(str::trim).filter(|line| words.iter().any(|w| line.starts_with(w))).collect();
    let marks = marks(&program);
    assert_eq!(lines.len(), marks.len());
    for (line, visible) in lines.iter().zip(&marks) {
        assert!(line.ends_with("// visible") || line.ends_with("// private"), "no expectation: {line}");
        assert_eq!(line.ends_with("// visible"), *visible, "{line}\n{text}");
    }
    // Jump buffers and lists of arguments are accesses too; comments say nothing of them.
    let code = program.functions.iter().flat_map(|f| &f.code);
    let other = code.filter_map(|inst| match inst {
        Inst::VaStart { visible, .. }
        | Inst::VaCopy { visible, .. }
        | Inst::SetJump { visible, .. }
        | Inst::LongJump { visible, .. } => Some(*visible),
        _ => None,
    });
    let all: Vec<bool> = marks.iter().copied().chain(other).collect();
    let visible = all.iter().filter(|v| **v).count();
    assert_eq!(summary.visible_accesses, visible);
    assert_eq!(summary.private_accesses + summary.read_only_accesses, all.len() - visible);
    // The marks stay when the analysis runs again.
    let again = program.clone();
    mark_visible(&mut program);
    assert_eq!(program, again);
    summary
}

#[test]
fn a_local_whose_address_stays_here() {
    let summary = check(
        "function main() {
bb0:
    alloca r0 = 16
    store.i32 [r0] = 1                      // private
    pointer_add.i64 r1 = r0, 1 * 4 + 4
    load.i32 r2 = [r1]                      // private
    pointer_add.i32 r3 = r0, r2 * 4
    copy r4: ptr = r3
    freeze.i64 r5: ptr = r4
    update.add.i32 r6 = [r5], 1             // private
    compare_exchange.i32 r7, r8 = [r5], 1, 2  // private
    memory_set [r0] = 0, 16                 // private
    alloca r9 = 16
    memory_copy [r9] = [r0], 16             // private
    eq.ptr r10 = r0, r9
    select r11: ptr = r10, r0, r9
    store.i32 [r11] = 3                     // private
    return
}",
    );
    assert_eq!((summary.stack_objects, summary.escaping_stack_objects), (2, 0));
}

#[test]
fn globals_and_the_heap_are_shared() {
    let summary = check(
        "global g: i32
function main() {
bb0:
    store.i32 [&g] = 1                      // visible
    load.i32 r0 = [&g]                      // visible
    r1 = kernel.alloc 8, 0
    store.i32 [r1] = 1                      // visible
    alloca r2 = 4
    memory_copy [r2] = [&g], 4              // visible
    memory_copy [&g] = [r2], 4              // visible
    select r3: ptr = 1:i1, r2, &g
    load.i32 r4 = [r3]                      // visible
    copy r5: ptr = r2
    copy r5 = r1
    load.i32 r4 = [r5]                      // visible
    load.i32 r4 = [null]                    // visible
    return
}",
    );
    assert_eq!(summary.read_only_globals, 0);
}

#[test]
fn a_register_is_private_only_if_all_its_definitions_are() {
    check(
        "global g: i32
function main() {
bb0:
    alloca r0 = 4
    copy r1: ptr = r0
    jump bb1
bb1:
    load.i32 r2 = [r1]                      // visible
    store.i32 [r0] = r2                     // private
    copy r1 = &g
    store.i32 [&g] = 1                      // visible
    jump bb1
}",
    );
}

#[test]
fn stores_into_shared_memory_let_escape() {
    check(
        "global g: ptr
function main() {
bb0:
    alloca r0 = 4
    store.i32 [r0] = 1                      // visible
    store.ptr [&g] = r0                     // visible
    alloca r1 = 4
    store.i32 [r1] = 1                      // visible
    pointer_add.i64 r2 = r1, 2
    update.exchange.ptr r3 = [&g], r2           // visible
    alloca r4 = 4
    store.i32 [r4] = 1                      // visible
    compare_exchange.ptr r5, r6 = [&g], null, r4  // visible
    alloca r7 = 4
    compare_exchange.ptr r5, r6 = [&g], r7, null  // visible
    store.i32 [r7] = 1                      // visible
    return
}",
    );
}

#[test]
fn a_pointer_in_a_private_variable_stays_private() {
    check(
        "function main() {
bb0:
    alloca r0 = 4
    alloca r1 = 8
    store.ptr [r1] = r0                     // private
    load.ptr r2 = [r1]                      // private
    store.i32 [r2] = 1                      // private
    return
}",
    );
}

#[test]
fn what_an_escaping_variable_points_to_escapes() {
    check(
        "global g: ptr
function main() {
bb0:
    alloca r0 = 4
    alloca r1 = 8
    alloca r3 = 8
    store.ptr [r1] = r0                     // visible
    memory_copy [r3] = [r1], 8              // visible
    store.i32 [r0] = 1                      // visible
    store.ptr [&g] = r1                     // visible
    return
}",
    );
}

#[test]
fn a_copy_carries_pointers_out() {
    check(
        "global g: 16
function main() {
bb0:
    alloca r0 = 4
    alloca r1 = 16
    alloca r2 = 4
    pointer_add.i64 r3 = r1, 8
    store.ptr [r1] = r2                     // private
    store.ptr [r3] = r0                     // private
    memory_copy [&g] = [r3], 8              // visible
    store.i32 [r0] = 1                      // visible
    store.i32 [r2] = 1                      // private
    return
}",
    );
    // Byte by byte.
    check(
        "global g: 16
function main() {
bb0:
    alloca r0 = 4
    alloca r1 = 8
    store.ptr [r1] = r0                     // private
    jump bb1
bb1:
    pointer_add.i64 r2 = r1, r3
    pointer_add.i64 r4 = &g, r3
    load.i8 r5 = [r2]                       // private
    store.i8 [r4] = r5                      // visible
    add.i64 r3 = r3, 1
    store.i32 [r0] = 1                      // visible
    jump bb1
}",
    );
}

#[test]
fn members_of_a_structure_stay_apart() {
    check(
        "global g: i32
global h: i32
function main() {
bb0:
    alloca r0 = 4
    alloca r1 = 16
    pointer_add.i64 r2 = r1, 8
    store.i32 [r1] = 7                      // private
    store.ptr [r2] = r0                     // private
    load.i32 r3 = [r1]                      // private
    store.i32 [&g] = r3                     // visible
    load.ptr r4 = [r2]                      // private
    load.i32 r3 = [r4]                      // private
    store.i32 [&h] = r3                     // visible
    return
}",
    );
}

#[test]
fn numbers_made_of_addresses_carry_them() {
    check(
        "global g: i64
function main() {
bb0:
    alloca r0 = 4
    store.i32 [r0] = 1                      // visible
    pointer_to_int.i64.i64 r1 = r0
    add.i64 r2 = r1, 1
    store.i64 [&g] = r2                     // visible
    return
}",
    );
    // Differences and comparisons do not; what comes back from an integer may be anything.
    check(
        "global g: i64
function main() {
bb0:
    alloca r0 = 8
    pointer_add.i64 r1 = r0, 4
    pointer_to_int.i64.i64 r2 = r0
    pointer_to_int.i64.i64 r3 = r1
    sub.i64 r4 = r3, r2
    store.i64 [&g] = r4                     // visible
    ult.ptr r5 = r0, r1
    zero_extend.i1.i64 r6 = r5
    store.i64 [&g] = r6                     // visible
    store.i32 [r1] = 1                      // private
    int_to_pointer.i64.i64 r7 = r3
    store.i32 [r7] = 1                      // visible
    return
}",
    );
    check(
        "global g: i64
function main() {
bb0:
    alloca r0 = 8
    pointer_to_int.i64.i64 r2 = r0
    add.i64 r3 = r2, r2
    sub.i64 r4 = r3, r2
    store.i64 [&g] = r4                     // visible
    store.i32 [r0] = 1                      // visible
    return
}",
    );
}

#[test]
fn parameters_are_private_if_all_arguments_are() {
    check(
        "global g: i32
function only_private(r0: ptr) {
bb0:
    store.i32 [r0] = 1                      // private
    return
}
function both(r0: ptr) {
bb0:
    store.i32 [r0] = 1                      // visible
    return
}
function outer(r0: ptr) {
bb0:
    call @only_private(r0)
    return
}
function main() {
bb0:
    alloca r0 = 4
    call @only_private(r0)
    call @outer(r0)
    call @both(r0)
    call @both(&g)
    store.i32 [r0] = 2                      // private
    return
}",
    );
}

#[test]
fn a_callee_lets_escape() {
    check(
        "global g: ptr
function keep(r0: ptr, r1: ptr) {
bb0:
    store.ptr [&g] = r0                     // visible
    store.i32 [r1] = 1                      // private
    return
}
function through(r0: ptr, r1: ptr) {
bb0:
    call @keep(r0, r1)
    return
}
function main() {
bb0:
    alloca r0 = 4
    alloca r1 = 4
    call @through(r0, r1)
    store.i32 [r0] = 2                      // visible
    store.i32 [r1] = 2                      // private
    return
}",
    );
}

#[test]
fn recursion() {
    check(
        "global g: ptr
function down(r0: ptr, r1: i32) {
bb0:
    alloca r2 = 4
    store.i32 [r2] = r1                     // private
    store.i32 [r0] = 1                      // private
    eq.i32 r3 = r1, 0
    branch r3, bb1, bb2
bb1:
    return
bb2:
    sub.i32 r4 = r1, 1
    call @down(r2, r4)
    return
}
function down_and_out(r0: ptr, r1: i32) {
bb0:
    alloca r2 = 4
    store.i32 [r2] = r1                     // visible
    eq.i32 r3 = r1, 0
    branch r3, bb1, bb2
bb1:
    store.ptr [&g] = r0                     // visible
    return
bb2:
    sub.i32 r4 = r1, 1
    call @down_and_out(r2, r4)
    return
}
function main() {
bb0:
    alloca r0 = 4
    call @down(r0, 3)
    call @down_and_out(null, 3)
    return
}",
    );
}

#[test]
fn returned_pointers() {
    check(
        "function first(r0: ptr, r1: ptr) -> 1 {
bb0:
    return r0
}
function main() {
bb0:
    alloca r0 = 4
    alloca r1 = 4
    r2: ptr = call @first(r0, r1)
    store.i32 [r2] = 1                      // private
    return
}",
    );
    // A function that anybody may call gives its results to anybody, and its parameters come from anywhere.
    check(
        "global table: ptr = { 0: @make }
function make(r0: ptr) -> 1 {
bb0:
    alloca r1 = 4
    store.i32 [r0] = 1                      // visible
    store.i32 [r1] = 1                      // visible
    return r1
}
function main() {
bb0:
    alloca r0 = 4
    r2: ptr = call @make(r0)
    return
}",
    );
}

#[test]
fn indirect_and_unknown_calls_let_escape() {
    check(
        "function elsewhere()
function main() {
bb0:
    alloca r0 = 4
    alloca r1 = 4
    load.ptr r2 = [r1]                      // private
    r3: ptr = call *r2(r0)
    store.i32 [r0] = 1                      // visible
    store.i32 [r3] = 1                      // visible
    call @elsewhere()
    return
}",
    );
}

#[test]
fn what_a_new_thread_gets_is_shared() {
    check(
        "function worker(r0: ptr) {
bb0:
    load.i32 r1 = [r0]                      // visible
    alloca r2 = 4
    store.i32 [r2] = 1                      // private
    return
}
function main() {
bb0:
    alloca r0 = 4
    store.i32 [r0] = 1                      // visible
    kernel.begin
    r1 = kernel.spawn @worker, r0
    kernel.end
    r2 = kernel.tcb 1
    load.i32 r3 = [r2]                      // visible
    return
}",
    );
}

#[test]
fn addresses_as_names_do_not_escape() {
    check(
        "global format: 4 constant = b\"%d\"
function main() {
bb0:
    alloca r0 = 4
    store.i32 [r0] = 0                      // private
    kernel.acquire r0, 0
    kernel.event 1, r0
    kernel.release r0, 0
    r1 = kernel.holds r0
    r2 = kernel.is_determinate r0, 4
    kernel.output 1, r0, 4
    kernel.fault 2, &format, r0
    return
}",
    );
}

#[test]
fn jump_buffers_stay_private() {
    check(
        "function main() {
bb0:
    alloca r0 = 200
    r1 = set_jump r0
    long_jump r0, 1
    load.i32 r2 = [r0]                      // private
    return
}",
    );
}

#[test]
fn thread_locals() {
    let summary = check(
        "global own: i32 thread_local
global known: i32 thread_local
global pointer: ptr thread_local
global g: ptr
function location() -> 1 {
bb0:
    r0 = thread_local &own
    return r0
}
function main() {
bb0:
    r0: ptr = call @location()
    store.i32 [r0] = 1                      // private
    r1 = thread_local &known
    store.i32 [r1] = 1                      // visible
    store.ptr [&g] = r1                     // visible
    r2 = thread_local &pointer
    alloca r3 = 4
    store.ptr [r2] = r3                     // private
    load.ptr r4 = [r2]                      // private
    store.i32 [r4] = 1                      // private
    return
}",
    );
    assert_eq!((summary.thread_locals, summary.escaping_thread_locals), (3, 1));
}

#[test]
fn variadic_functions_read_their_arguments_privately() {
    // As clang -O0 walks over the list on x86-64.
    let text = "global g: i32
function sum(r0: i32, ...) -> 1 {
bb0:
    alloca r1 = 24
    va_start r1
    jump bb1
bb1:
    load.i32 r2 = [r1]                      // private
    ule.i32 r3 = r2, 40
    branch r3, bb2, bb3
bb2:
    pointer_add.i64 r4 = r1, 16
    load.ptr r5 = [r4]                      // private
    pointer_add.i32 r6 = r5, r2
    add.i32 r2 = r2, 8
    store.i32 [r1] = r2                     // private
    jump bb4
bb3:
    pointer_add.i64 r7 = r1, 8
    load.ptr r6 = [r7]                      // private
    pointer_add.i64 r8 = r6, 8
    store.ptr [r7] = r8                     // private
    jump bb4
bb4:
    load.ptr r9 = [r6]                      // private
    load.i32 r10 = [r9]                     // EXPECTED
    store.i32 [&g] = r10                    // visible
    alloca r11 = 24
    va_copy r11, r1
    call @list(r11)
    va_end r1
    jump bb1
}
function list(r0: ptr) {
bb0:
    pointer_add.i64 r1 = r0, 8
    load.ptr r2 = [r1]                      // private
    load.i32 r3 = [r2]                      // private
    r4 = kernel.print 1, &g, r0
    return
}
function main() {
bb0:
    alloca r0 = 4
    r1: i32 = call @sum(1; ptr r0)
    r1 = call @sum(1; ptr OTHER)
    return
}";
    check(&text.replace("EXPECTED", "private").replace("OTHER", "null"));
    check(&text.replace("EXPECTED", "visible").replace("OTHER", "&g"));
}

#[test]
fn formatted_text_may_be_read_back() {
    check(
        "global f: 4 constant = b\"%p\"
function format(r0: ptr, r1: ptr, ...) {
bb0:
    alloca r2 = 24
    va_start r2
    r3 = kernel.format r0, 10, r1, r2
    return
}
function print(r1: ptr, ...) {
bb0:
    alloca r2 = 24
    va_start r2
    r3 = kernel.print 1, r1, r2
    return
}
function main() {
bb0:
    alloca r0 = 10
    alloca r1 = 4
    alloca r2 = 4
    call @format(r0, &f; ptr r1)
    call @print(&f; ptr r2)
    load.i8 r3 = [r0]                       // private
    store.i32 [r1] = 1                      // visible
    store.i32 [r2] = 1                      // private
    return
}",
    );
}

#[test]
fn what_nobody_writes_can_be_read_unseen() {
    let summary = check(
        "global text: 4 constant = b\"abc\"
global table: ptr constant = { 0: &text }
global limit: i32 = 3
global flag: i32
global known: i32
global holder: ptr = { 0: &known }
global written: i32
function length(r0: ptr) {
bb0:
    load.i8 r1 = [r0]                       // private
    return
}
function main() {
bb0:
    load.ptr r0 = [&table]                  // private
    load.i8 r1 = [r0]                       // private
    call @length(&text)
    load.i32 r2 = [&limit]                  // private
    load.i32 r2 = [&flag] volatile          // visible
    load.i32 r2 = [&known]                  // visible
    store.i32 [&written] = 1                // visible
    load.i32 r2 = [&written]                // visible
    alloca r3 = 4
    memory_copy [r3] = [&text], 4           // private
    store.i8 [&text] = 1                    // visible
    load.ptr r4 = [&holder]                 // private
    load.i32 r2 = [r4]                      // visible
    return
}",
    );
    assert_eq!(summary.read_only_globals, 5);
    assert_eq!(summary.read_only_accesses, 5);
}

#[test]
fn the_main_threads_block_is_shared() {
    check(
        "main_tcb &block
global block: 16
function main() {
bb0:
    load.i32 r0 = [&block]                  // visible
    return
}",
    );
}

#[test]
fn many_targets_are_given_up() {
    let program = |count: usize, expected: &str| {
        let calls: String = (0..count).map(|i| format!("alloca r{i} = 4\ncall @f(r{i})\n")).collect();
        let store = format!("store.i32 [r0] = 1 // {expected}\nreturn\n}}\n");
        format!("function f(r0: ptr) {{\nbb0:\n{store}function main() {{\nbb0:\n{calls}{store}")
    };
    check(&program(60, "private"));
    check(&program(70, "visible"));
}
