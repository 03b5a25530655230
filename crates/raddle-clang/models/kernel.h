/* What the machine offers to library models: the kernel operations.
 *
 * A model is ordinary C over these operations. The front end turns each call of a name below into one instruction
 * of the program model; they have no body anywhere. Models are compiled freestanding (clang's own <stddef.h>,
 * <stdarg.h>, <stdint.h>, <limits.h> only, no C library header), for ILP32 and LP64 alike.
 *
 * A visible step of a model is a kernel section, __raddle_begin() to __raddle_end(): other threads see all of it or
 * nothing. Sections do not nest. Memory accesses inside a section are not race-checked and order nothing; edges of
 * happens-before come only from __raddle_acquire and __raddle_release. Accesses outside a section are ordinary
 * accesses of the calling thread: visible and race-checked.
 */
#ifndef RADDLE_KERNEL_H
#define RADDLE_KERNEL_H
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <limits.h>

/* -- sections and blocking ------------------------------------------------------------------------------------ */

void __raddle_begin(void);
void __raddle_end(void);

/* Why a thread cannot go on. */
enum {
    RADDLE_WAIT_MUTEX = 1, RADDLE_WAIT_RWLOCK, RADDLE_WAIT_SPIN, RADDLE_WAIT_COND, RADDLE_WAIT_BARRIER,
    RADDLE_WAIT_SEMAPHORE, RADDLE_WAIT_JOIN, RADDLE_WAIT_ONCE, RADDLE_WAIT_OTHER
};

/* Only inside a section that has not yet written memory or made a choice. The step is disabled: the thread goes back
 * to its __raddle_begin and is tried again when the state has changed. `object` is what it waits for (shown to the
 * user), `owner` the thread it waits for; with owner 0 the threads that hold `object` by RADDLE_LOCK events are the
 * owners (none: any thread may wake it). Never returns. */
_Noreturn void __raddle_block(int why, const void *object, int owner);

/* The same, but the scheduler may let the thread go on nevertheless, by a spurious wake-up or by a time-out; then the
 * call returns. With --no-spurious-wakeups a RADDLE_SPURIOUS pause is a block. */
enum { RADDLE_SPURIOUS = 1, RADDLE_TIMEOUT = 2 };
void __raddle_pause(int why, const void *object, int owner, int how);

/* -- threads ---------------------------------------------------------------------------------------------------- */

/* Starts a thread that runs body(tcb); gives its number (> 0; main is 1). The numbers do not depend on the order in
 * which threads run. The creation happens before everything in the child. Only inside a section. `tcb` is a block
 * of the model's own, found again by __raddle_tcb. The thread ends when body returns or by __raddle_thread_exit. */
int __raddle_spawn(void (*body)(void *tcb), void *tcb);
int __raddle_self(void);
/* The block given at the creation; for main, the address of the global `__raddle_main_tcb` that a model must define;
 * a null pointer if no such thread was ever created. Of another thread only inside a section. */
void *__raddle_tcb(int thread);
/* 1 when the thread has ended (a thread that ended the whole process has not: it is stopped). Of another thread only
 * inside a section. */
int __raddle_finished(int thread);
_Noreturn void __raddle_thread_exit(void);
/* The process ends here (how: 0 exit or return of main, 1 abort); the thread is stopped, the others go on. */
_Noreturn void __raddle_process_exit(int code, int how);
/* The thread has yielded: a visible step that touches nothing. Outside sections. */
void __raddle_yield(void);
/* The user's atomic sections (global recursive lock that excludes all other threads). */
void __raddle_atomic_begin(void);
void __raddle_atomic_end(void);

/* -- happens-before and events ---------------------------------------------------------------------------------- */

/* acquire: everything released on (object, channel) so far happens before what this thread does next.
 * release: what this thread did so far is added to (object, channel). */
void __raddle_acquire(const void *object, int channel);
void __raddle_release(const void *object, int channel);

/* Inside a section, after what may block: a race-checked access to the object's bytes, a plain write or an atomic read
 * (which orders nothing). */
void __raddle_touch(const void *object, size_t size, int writes);
/* This section is one atomic access to `size` bytes of `object`, with an order of C11 (__ATOMIC_RELAXED etc.): reported
 * to the listeners, race-checked and ordered as a load, store or read-modify-write of a machine word is. The accesses of
 * the section move the bytes. Only inside a section, once. */
enum { RADDLE_ATOMIC_READ = 0, RADDLE_ATOMIC_WRITE, RADDLE_ATOMIC_UPDATE, RADDLE_ATOMIC_EXCHANGE_FAILED };
void __raddle_atomic(const void *object, size_t size, int access, int order);
/* 1: the weak compare-exchange that comes next fails for no reason. A choice; outside sections. */
int __raddle_spurious(void);
/* 1 when the bytes are equal; indeterminate ones are equal to any, as padding has to be. Inside sections. */
int __raddle_same(const void *left, const void *right, size_t size);

/* Markers for the trace, and for the table of held locks that the machine keeps: RADDLE_LOCK and RADDLE_RDLOCK add one
 * hold of `object` by this thread, RADDLE_UNLOCK takes one back. Others are only shown; RADDLE_CLOCK (a clock is read) is not. */
enum {
    RADDLE_LOCK = 1, RADDLE_RDLOCK, RADDLE_UNLOCK, RADDLE_WAIT, RADDLE_SIGNAL, RADDLE_BROADCAST, RADDLE_WAKE,
    RADDLE_JOIN, RADDLE_BARRIER, RADDLE_POST, RADDLE_CANCEL, RADDLE_AT_EXIT, RADDLE_MAKE, RADDLE_CLOCK
};
void __raddle_event(int event, const void *object);
/* A mark of progress, for livelock: a visible step that touches nothing. Outside sections. */
void __raddle_progress(void);
/* How many holds of the object this thread has (by RADDLE_LOCK or RADDLE_RDLOCK events). Only inside a section: another
 * thread may take one back. */
int __raddle_holds(const void *object);
/* How many holds all threads have. Only inside a section. */
int __raddle_held(const void *object);

/* -- choices, assumptions, faults ------------------------------------------------------------------------------- */

unsigned long long __raddle_choose(unsigned long long count); /* one of 0 .. count-1; count 0 or 1 gives 0 */
unsigned long long __raddle_any(int bits);                    /* any value of that many bits, 1 to 64 */
void __raddle_assume(int condition);

/* The program is at fault. RADDLE_ASSERT ends the run; RADDLE_MEMSAFETY ends the run; the others go on: the call
 * returns. The message is a string literal; `object` (may be null) is shown as a C path. */
enum { RADDLE_ASSERT = 1, RADDLE_LOCKS, RADDLE_MEMSAFETY, RADDLE_OVERFLOW };
void __raddle_fault(int property, const char *message, const void *object);
/* Something the models cannot do: the run ends, the verdict is unknown, naming it. */
_Noreturn void __raddle_unsupported(const char *what);

/* The model fixes something that may be otherwise in reality, such as the answer to a question about the system. The
 * sentence, a string literal, is printed as an assumption when the call can be reached from the program; if it is made by
 * the function that the program calls, only where some call uses the result. A sentence that begins with
 * "bound with callbacks: " says what behaviour is left out, and makes every row bounded at most, where a function of the program
 * may reach the model as a pointer. Changes nothing. */
void __raddle_fixed(const char *what);

/* -- memory ------------------------------------------------------------------------------------------------------- */

/* HEAP: indeterminate bytes; HEAP_ZERO: zero bytes; INTERNAL: zero bytes, the model's own (never a leak). Allocation is
 * not a visible step. Never fails. */
enum { RADDLE_HEAP = 0, RADDLE_HEAP_ZERO = 1, RADDLE_INTERNAL = 2 };
void *__raddle_alloc(size_t size, int kind);
/* The same at an address that is a multiple of `alignment` (a power of two). */
void *__raddle_alloc_aligned(size_t size, size_t alignment, int kind);
/* A visible step, a write of the whole object; invalid and double free are memory faults; null is allowed. Outside
 * sections (inside one it is part of the section and not race-checked). */
void __raddle_free(void *pointer);
/* The heap object has another size from now on and stays where it is; bytes that are new are indeterminate. A visible step,
 * a write of the whole object, with the faults of __raddle_free. Outside sections. */
void __raddle_resize(void *pointer, size_t size);
/* The size of the heap object that the pointer points into (a memory fault if there is none). This query and the next two
 * are no steps of their own: a file of --models makes them only inside a section. */
size_t __raddle_object_size(const void *pointer);
/* 1 when none of the bytes is indeterminate. */
int __raddle_is_determinate(const void *pointer, size_t size);
/* 0: not all of the bytes are in a living object that may be written; 1: they are; 2: and a pointer is among them. */
int __raddle_writable(const void *pointer, size_t size);

/* -- output ------------------------------------------------------------------------------------------------------- */

/* printf's conversions, done by the machine: to a stream (1 stdout, 2 stderr; the text goes into the trace), or to a
 * buffer as vsnprintf does. Give the number of bytes, as printf does. Reads of the arguments are not visible steps. */
int __raddle_print(int stream, const char *format, va_list arguments);
int __raddle_format(char *buffer, size_t size, const char *format, va_list arguments);
void __raddle_output(int stream, const char *bytes, size_t size);

/* -- settings ----------------------------------------------------------------------------------------------------- */

enum {
    RADDLE_SETTING_MALLOC_MAY_FAIL = 1, RADDLE_SETTING_REUSE_ADDRESSES = 2, RADDLE_SETTING_SPURIOUS_WAKEUPS = 3,
    RADDLE_SETTING_CLOCK_STANDS = 4
};
int __raddle_setting(int which);
/* 1 when some function of the program has a marker of this event: a model then does what only such programs need. The
 * same for a whole search. */
int __raddle_has_event(int event);

/* -- what a model declares ---------------------------------------------------------------------------------------- */

/* Facts about a function that its body does not show, before its definition. Without them the worst case counts: fewer
 * proofs and reductions. A declaration that is false is noticed in the executions where it matters, and what a file of
 * --models declares is printed as an assumption. */
#define RADDLE_DECLARES(words) __attribute__((annotate("raddle: " words)))
/* Results that carry no information about another thread, or come with an edge of happens-before: "0 35", or "always", or
 * "with spurious wake-ups 0" if that holds only where waits may end spuriously. Races by state need it. */
#define RADDLE_ORDERED(results) RADDLE_DECLARES("ordered " results)
/* The function is called only in programs that contain one of these functions: "f g". */
#define RADDLE_ACTS_AFTER(functions) RADDLE_DECLARES("acts after " functions)
/* Its second section takes the lock of a parameter, and blocks whenever another function would that is given the lock and
 * then these arguments: "PARAMETER like FUNCTION ARGUMENTS". This and the last two below count for raddle's own models only. */
#define RADDLE_RETAKES(what) RADDLE_DECLARES("retakes " what)
/* After a call of it, a join may return before the end of the joined thread. */
#define RADDLE_ENDS_JOINS RADDLE_DECLARES("ends joins")
/* It creates a thread and writes its number to where the first parameter points; the last two parameters are what the
 * thread runs and its argument. */
#define RADDLE_CREATES RADDLE_DECLARES("creates")
/* It returns after the end of the thread that its first parameter names, unless it gives an error. */
#define RADDLE_JOINS RADDLE_DECLARES("joins")
/* Locks, for the analyses that follow which ones a thread holds; of raddle's own models only. "PARAMETER MODE on RESULTS kept
 * RESULTS not RESULTS refused RESULTS": it takes the lock that the parameter points to. With the results after `on` the thread
 * holds it; with those after `kept` it had an exclusive hold before, has it still, and no other; with those after `not` it
 * has no hold more; those after `refused` come only from a lock that was destroyed or damaged, or of a kind that
 * RADDLE_REFUSES names. Together they are all results. Modes: exclusive; shared; nested, which is exclusive, and
 * a holder that takes it once more has one hold more, or waits for ever. While a thread has an exclusive hold no other
 * thread has one, while it has a shared one no other has an exclusive one, and what those did that had one before, and
 * exclude it, happens before what it does. */
#define RADDLE_TAKES(what) RADDLE_DECLARES("takes " what)
/* It gives one hold of the lock back, whichever thread has it. */
#define RADDLE_GIVES(parameter) RADDLE_DECLARES("gives " parameter)
/* It gives one hold back and takes it again before it returns, unless the lock is one that refuses. */
#define RADDLE_WAITS_WITH(parameter) RADDLE_DECLARES("waits with " parameter)
/* It makes the bytes a free lock, unless a thread holds it. "PARAMETER by ATTRIBUTES": whether the lock refuses threads
 * depends on the bytes that the second parameter points to, unless it is null. */
#define RADDLE_MAKES(what) RADDLE_DECLARES("makes " what)
/* The lock, unless a thread holds it, refuses all who take it from then on. */
#define RADDLE_UNMAKES(parameter) RADDLE_DECLARES("unmakes " parameter)
/* "PARAMETER in NUMBERS": called with another number, locks may be made of it that refuse a thread. */
#define RADDLE_REFUSES(what) RADDLE_DECLARES("refuses unless " what)
/* It stores in the attributes that its first parameter points to, and nowhere else; by what it stores, and by all-zero
 * bytes, no lock refuses a thread, unless RADDLE_REFUSES says so. */
#define RADDLE_SETS_ATTRIBUTES RADDLE_DECLARES("sets attributes")
/* The kind of the lock, one word: functions of one kind share a layout. */
#define RADDLE_LOCK_KIND(kind) RADDLE_DECLARES("lock of kind " kind)

#endif
