/* Cancellation and cleanup handlers of POSIX threads.
 *
 * A thread's cleanup handlers are a stack of records of three kinds: glibc's __pthread_unwind_buf_t (what the macros
 * of <pthread.h> expand to: a jump buffer, entered by longjmp, that runs the handler and calls __pthread_unwind_next),
 * the older struct _pthread_cleanup_buffer, and a record of pthread_once, whose flag is reset when its routine is
 * cancelled. Every record keeps the kind and the address of the one below.
 *
 * A request is acted on at cancellation points (pthread_testcancel, join, condition waits, semaphore waits, sleeping,
 * reading, writing) while cancellation is enabled: handlers from the top, destructors of keys, then the end with
 * PTHREAD_CANCELED. Formatted and other stdio may act on it (a choice). A request that comes while a thread waits at a
 * cancellation point, after what it waits for has happened, may be acted on or remain (a choice, as POSIX says).
 *
 * Deviations: 1. pthread_cancel orders nothing. 2. Cancelling another thread while its type is asynchronous is
 * unsupported (it could act at any instruction). 3. Read-write locks are no cancellation points, as in glibc.
 */
#include "model.h"

_Noreturn void longjmp(void *buffer, int value); /* an operation of the machine */

/* glibc's __pthread_unwind_buf_t: a __jmp_buf, a flag, and four pointers for the library. */
struct unwind_buffer {
#ifdef __LP64__
    long registers[8];
#else
    int registers[6];
#endif
    int mask_was_saved;
    void *below;
    uintptr_t below_kind;
    void *unused[2];
};

/* glibc's struct _pthread_cleanup_buffer. */
struct cleanup_buffer {
    void (*routine)(void *);
    void *argument;
    int below_kind;
    struct cleanup_buffer *below;
};

/* In the frame of raddle_once. */
struct once_record {
    void *below;
    int below_kind;
    int *once;
};

static void push(struct raddle_thread *thread, void *record, int kind) {
    thread->cleanup = record;
    thread->cleanup_kind = kind;
}

/* Takes the topmost record off. Part of a section. */
static void *pop(struct raddle_thread *thread, int *kind) {
    void *record = thread->cleanup;
    *kind = thread->cleanup_kind;
    switch (*kind) {
    case RADDLE_CLEANUP_UNWIND:
        push(thread, ((struct unwind_buffer *)record)->below, (int)((struct unwind_buffer *)record)->below_kind);
        break;
    case RADDLE_CLEANUP_BUFFER:
        push(thread, ((struct cleanup_buffer *)record)->below, ((struct cleanup_buffer *)record)->below_kind);
        break;
    case RADDLE_CLEANUP_ONCE:
        push(thread, ((struct once_record *)record)->below, ((struct once_record *)record)->below_kind);
        break;
    }
    return record;
}

static _Noreturn void unwind(void) {
    for (;;) {
        int kind;
        void (*routine)(void *) = 0;
        void *argument = 0;
        __raddle_begin();
        struct raddle_thread *thread = raddle_current();
        void *record = pop(thread, &kind);
        void *result = thread->result;
        if (kind == RADDLE_CLEANUP_BUFFER) {
            routine = ((struct cleanup_buffer *)record)->routine;
            argument = ((struct cleanup_buffer *)record)->argument;
        } else if (kind == RADDLE_CLEANUP_ONCE) {
            *((struct once_record *)record)->once = 0;
        }
        __raddle_end();
        if (kind == RADDLE_CLEANUP_NONE) raddle_thread_finish(result);
        if (kind == RADDLE_CLEANUP_UNWIND) longjmp(record, 1);
        if (kind == RADDLE_CLEANUP_BUFFER) routine(argument);
    }
}

_Noreturn void raddle_thread_unwind(void *result) {
    __raddle_begin();
    struct raddle_thread *thread = raddle_current();
    thread->result = result;
    thread->ending = 1;
    __raddle_end();
    unwind();
}

RADDLE_ACTS_AFTER("pthread_cancel")
_Noreturn void raddle_cancelled(void) { raddle_thread_unwind(RADDLE_CANCELED); }

void raddle_cancellation_point(void) {
    __raddle_begin();
    int due = raddle_cancel_due(raddle_current());
    __raddle_end();
    if (due) raddle_cancelled();
}

void raddle_possible_cancellation_point(void) {
    if (!__raddle_has_event(RADDLE_CANCEL)) return;
    __raddle_begin();
    int due = raddle_cancel_due(raddle_current()) && __raddle_choose(2);
    __raddle_end();
    if (due) raddle_cancelled();
}

/* The flag holds 0 (not yet), 2 (done), or the running thread's number times 4 plus 1. */
void raddle_once(int *once, void (*routine)(void)) {
    struct once_record record;
    __raddle_begin();
    int state = __raddle_is_determinate(once, sizeof *once) ? *once : -1;
    if (state == -1) {
        __raddle_fault(RADDLE_LOCKS, "use of a once flag that was not initialised", once);
        state = 0;
    }
    if (state != 0 && state != 2) __raddle_block(RADDLE_WAIT_ONCE, once, state / 4);
    if (state == 2) {
        __raddle_acquire(once, 0);
        __raddle_end();
        return;
    }
    struct raddle_thread *thread = raddle_current();
    *once = __raddle_self() * 4 + 1;
    record.below = thread->cleanup;
    record.below_kind = thread->cleanup_kind;
    record.once = once;
    push(thread, &record, RADDLE_CLEANUP_ONCE);
    __raddle_end();
    routine();
    __raddle_begin();
    push(thread, record.below, record.below_kind);
    *once = 2;
    __raddle_release(once, 0);
    __raddle_end();
}

/* pthread_once: the routine runs once; the others wait for its end; what it did happens before every return */
RADDLE_ORDERED("always")
int pthread_once(int *once, void (*routine)(void)) {
    raddle_once(once, routine);
    return 0;
}

/* pthread_cancel: requests cancellation; delivered at the next cancellation point */
RADDLE_ENDS_JOINS
int pthread_cancel(unsigned long number) {
    __raddle_begin();
    struct raddle_thread *thread =
        number == 0 || number > INT_MAX ? 0 : (struct raddle_thread *)__raddle_tcb((int)number);
    if (!thread || thread->joined) {
        __raddle_fault(RADDLE_LOCKS, "cancelling a thread that does not exist or was already joined", 0);
        __raddle_end();
        return ESRCH;
    }
    __raddle_event(RADDLE_CANCEL, thread);
    int self = number == (unsigned long)__raddle_self();
    int asynchronous = thread->cancel_asynchronous && !thread->cancel_disabled && !thread->ending;
    if (__raddle_finished((int)number)) {
        __raddle_end();
        return 0;
    }
    if (asynchronous && !self)
        __raddle_unsupported("pthread_cancel: the other thread's cancellation type is asynchronous");
    thread->cancel_requested = 1;
    __raddle_end();
    if (asynchronous) raddle_cancelled();
    return 0;
}

/* pthread_testcancel: a cancellation point and nothing else */
void pthread_testcancel(void) { raddle_cancellation_point(); }

/* pthread_setcancelstate: enables or disables cancellation */
RADDLE_ORDERED("always")
int pthread_setcancelstate(int state, int *old) {
    if (state != 0 && state != 1) return EINVAL;
    __raddle_begin();
    struct raddle_thread *thread = raddle_current();
    int before = thread->cancel_disabled;
    thread->cancel_disabled = state;
    int due = thread->cancel_asynchronous && raddle_cancel_due(thread);
    __raddle_end();
    if (old) *old = before;
    if (due) raddle_cancelled();
    return 0;
}

/* pthread_setcanceltype: deferred or asynchronous; a request to another asynchronous thread is unsupported */
RADDLE_ORDERED("always")
int pthread_setcanceltype(int type, int *old) {
    if (type != 0 && type != 1) return EINVAL;
    __raddle_begin();
    struct raddle_thread *thread = raddle_current();
    int before = thread->cancel_asynchronous;
    thread->cancel_asynchronous = type;
    int due = type && raddle_cancel_due(thread);
    __raddle_end();
    if (old) *old = before;
    if (due) raddle_cancelled();
    return 0;
}

/* __pthread_register_cancel: pthread_cleanup_push, as glibc's macro expands */
RADDLE_ORDERED("always")
void __pthread_register_cancel(struct unwind_buffer *buffer) {
    __raddle_begin();
    struct raddle_thread *thread = raddle_current();
    buffer->below = thread->cleanup;
    buffer->below_kind = thread->cleanup_kind;
    push(thread, buffer, RADDLE_CLEANUP_UNWIND);
    __raddle_end();
}

/* __pthread_unregister_cancel: pthread_cleanup_pop, as glibc's macro expands */
RADDLE_ORDERED("always")
void __pthread_unregister_cancel(struct unwind_buffer *buffer) {
    __raddle_begin();
    push(raddle_current(), buffer->below, (int)buffer->below_kind);
    __raddle_end();
}

/* __pthread_unwind_next: goes on with the next cleanup handler; part of glibc's macro */
_Noreturn void __pthread_unwind_next(struct unwind_buffer *buffer) { unwind(); }

/* _pthread_cleanup_push: pthread_cleanup_push as a function */
RADDLE_ORDERED("always")
void _pthread_cleanup_push(struct cleanup_buffer *buffer, void (*routine)(void *), void *argument) {
    __raddle_begin();
    struct raddle_thread *thread = raddle_current();
    buffer->routine = routine;
    buffer->argument = argument;
    buffer->below = (struct cleanup_buffer *)thread->cleanup;
    buffer->below_kind = thread->cleanup_kind;
    push(thread, buffer, RADDLE_CLEANUP_BUFFER);
    __raddle_end();
}

/* _pthread_cleanup_pop: pthread_cleanup_pop as a function */
RADDLE_ORDERED("always")
void _pthread_cleanup_pop(struct cleanup_buffer *buffer, int execute) {
    __raddle_begin();
    push(raddle_current(), buffer->below, buffer->below_kind);
    __raddle_end();
    if (execute) buffer->routine(buffer->argument);
}
