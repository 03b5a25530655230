/* What the library models share: the thread control block, the overlays on the user's lock objects, error numbers,
 * and the functions by which one model file calls another.
 *
 * Names that belong to the models begin with `raddle_`, so that a program may define any library function itself
 * without changing what another model does. No model file calls a public library function of another.
 *
 * States stay small and canonical: what is no longer used is zeroed, nothing counts upwards for ever, and sets of
 * threads are sorted by thread number. Error numbers and layouts are those of glibc on x86.
 */
#ifndef RADDLE_MODEL_H
#define RADDLE_MODEL_H
#include "kernel.h"

enum {
    EPERM = 1, ENOENT = 2, ESRCH = 3, EINTR = 4, EIO = 5, EBADF = 9, EAGAIN = 11, ENOMEM = 12, EBUSY = 16,
    EEXIST = 17, EINVAL = 22, EDOM = 33, ERANGE = 34, EDEADLK = 35, ENOSYS = 38, EOVERFLOW = 75, ENOTSUP = 95, ETIMEDOUT = 110,
    EOWNERDEAD = 130, ENOTRECOVERABLE = 131
};
extern _Thread_local int raddle_errno;

/* -- threads ---------------------------------------------------------------------------------------------------- */

/* What lies on top of a thread's stack of cleanup handlers. */
enum { RADDLE_CLEANUP_NONE = 0, RADDLE_CLEANUP_UNWIND, RADDLE_CLEANUP_BUFFER, RADDLE_CLEANUP_ONCE };

enum { RADDLE_KEYS = 64, RADDLE_DESTRUCTOR_ROUNDS = 4 };

/* One a thread, allocated at its creation; read and written inside sections only. */
struct raddle_thread {
    void *start;                    /* void *(*)(void *), or int (*)(void *) for a C11 thread */
    void *argument;
    void *result;                   /* from the thread's end to its join */
    void *cleanup;                  /* the topmost cleanup record; what it is says cleanup_kind */
    void **values;                  /* RADDLE_KEYS values of thread-specific data, or null */
    int next_waiter;                /* the next thread in the set of waiters this thread is in; 0: the last */
    unsigned char cleanup_kind;
    unsigned char is_c11;
    unsigned char detached;
    unsigned char joined;
    unsigned char waiting;          /* RADDLE_IN_SET while in a set of waiters, RADDLE_WOKEN_LAST when a waker has
                                       emptied the set with this thread, else 0 */
    unsigned char serial;           /* the barrier chose this thread as the serial one */
    unsigned char cancel_requested;
    unsigned char cancel_disabled;
    unsigned char cancel_asynchronous;
    unsigned char ending;           /* unwinding by pthread_exit or cancellation: no further cancellation */
};

extern struct raddle_thread __raddle_main_tcb;

static inline struct raddle_thread *raddle_current(void) {
    return (struct raddle_thread *)__raddle_tcb(__raddle_self());
}

/* Inside a section: a cancellation point must not go on but end the section and call raddle_cancelled. */
static inline int raddle_cancel_due(struct raddle_thread *thread) {
    return thread->cancel_requested && !thread->cancel_disabled && !thread->ending;
}

#define RADDLE_CANCELED ((void *)-1)

/* With a place for a thrd_t: a C11 thread, whose id is stored there before it begins. */
int raddle_thread_create(void *start, void *argument, int detached, unsigned long *c11_id);
int raddle_thread_join(unsigned long thread, void **result, int how);
int raddle_thread_detach(unsigned long thread);
_Noreturn void raddle_thread_finish(void *result);
_Noreturn void raddle_thread_unwind(void *result);
_Noreturn void raddle_cancelled(void);
void raddle_cancellation_point(void);
/* The same where the library may or may not act on a request: a choice. No step in a program that cancels nothing. */
void raddle_possible_cancellation_point(void);
void raddle_key_destructors(void);
void raddle_once(int *once, void (*routine)(void));
int raddle_key_create(unsigned *key, void (*destructor)(void *));
int raddle_key_delete(unsigned key);
void *raddle_key_get(unsigned key);
int raddle_key_set(unsigned key, void *value);

/* How a blocking operation behaves when it would have to wait; RADDLE_REFUSES: until an invalid time, so it gives EINVAL. */
enum { RADDLE_WAITS = 0, RADDLE_TRIES, RADDLE_WAITS_UNTIL, RADDLE_REFUSES };

/* -- sets of waiting threads (waiters.c) ------------------------------------------------------------------------ */

enum { RADDLE_IN_SET = 1, RADDLE_WOKEN_LAST = 2 };
void raddle_waiters_add(int *first);
void raddle_waiters_remove(int *first, int thread);
int raddle_waiters_count(int first);
int raddle_waiters_at(int first, int index);

/* -- mutexes ---------------------------------------------------------------------------------------------------- */

/* Lies over pthread_mutex_t and mtx_t; `kind` is where glibc has it, so that static initialisers work. */
struct raddle_mutex {
    int owner;                      /* thread number; 0: free */
    unsigned depth;                 /* how often the owner holds it */
    int inconsistent;               /* robust: 1 its owner died, 2 not recoverable */
#ifdef __LP64__
    int unused;
#endif
    int kind;                       /* type, robust bit, ceiling; RADDLE_MUTEX_DESTROYED after destroy */
    int awaited;                    /* RADDLE_MUTEX_AWAITED plus the number of condition waits that will take it; 0: none */
};
enum {
    RADDLE_MUTEX_NORMAL = 0, RADDLE_MUTEX_RECURSIVE = 1, RADDLE_MUTEX_ERRORCHECK = 2, RADDLE_MUTEX_ADAPTIVE = 3,
    RADDLE_MUTEX_TYPE = 3, RADDLE_MUTEX_ROBUST = 16,
    RADDLE_MUTEX_PROTECT = 64, RADDLE_MUTEX_CEILING = 0xff00, /* kept for pthread_mutex_getprioceiling only */
    RADDLE_MUTEX_UNTIMED = 0x10000, /* a mtx_t without mtx_timed */
    RADDLE_MUTEX_DESTROYED = -1,
    RADDLE_MUTEX_AWAITED = 0x0a3a0000
};

/* Parts of a section: an object of synchronisation is initialised, or used; the two race if nothing orders them. */
static inline void raddle_made(const void *object, size_t size) {
    __raddle_event(RADDLE_MAKE, object);
    __raddle_touch(object, size, 1);
}
static inline void raddle_used(const void *object, size_t size) {
    if (__raddle_has_event(RADDLE_MAKE)) __raddle_touch(object, size, 0);
}

int raddle_mutex_init(struct raddle_mutex *mutex, int kind);
int raddle_mutex_destroy(struct raddle_mutex *mutex);
int raddle_mutex_lock(struct raddle_mutex *mutex, int how);
int raddle_mutex_unlock(struct raddle_mutex *mutex);
/* A locks fault if it is a mtx_t without mtx_timed. */
void raddle_mutex_expect_timed(struct raddle_mutex *mutex);
/* Parts of a section, for condition variables. */
int raddle_mutex_usable(struct raddle_mutex *mutex);
int raddle_mutex_free_for(struct raddle_mutex *mutex, int thread);
int raddle_mutex_take(struct raddle_mutex *mutex);
void raddle_mutex_give(struct raddle_mutex *mutex);
void raddle_mutex_await(struct raddle_mutex *mutex, int change);

/* -- condition variables ---------------------------------------------------------------------------------------- */

/* Lies over pthread_cond_t and cnd_t. */
struct raddle_cond {
    int first;                      /* the set of waiters */
    int state;
    struct raddle_mutex *mutex;     /* the one the waiters gave up; null without waiters */
};
int raddle_cond_init(struct raddle_cond *cond);
int raddle_cond_destroy(struct raddle_cond *cond);
int raddle_cond_wait(struct raddle_cond *cond, struct raddle_mutex *mutex, int how);
int raddle_cond_signal(struct raddle_cond *cond);
int raddle_cond_broadcast(struct raddle_cond *cond);

/* The mark in a `state` field of an object that was destroyed. */
enum { RADDLE_DESTROYED = 0x0dead0 };

/* -- time ------------------------------------------------------------------------------------------------------- */

/* CLOCK_REALTIME and CLOCK_MONOTONIC: no other can be waited for. */
static inline int raddle_clock_is_valid(int clock) { return clock == 0 || clock == 1; }

struct raddle_timespec { long seconds, nanoseconds; };
static inline int raddle_time_is_valid(const struct raddle_timespec *time) {
    return time->nanoseconds >= 0 && time->nanoseconds < 1000000000L;
}
/* A time of the clocks. Nothing is computed in programs that read no clock. */
typedef struct { unsigned long long seconds; unsigned nanoseconds; } raddle_moment;
/* When the clocks show a time, when so much has passed from now, and a moment that is over. */
raddle_moment raddle_moment_of(const struct raddle_timespec *time);
raddle_moment raddle_moment_in(unsigned long long seconds, unsigned nanoseconds);
raddle_moment raddle_moment_after(const struct raddle_timespec *duration);
raddle_moment raddle_long_ago(void);
/* A sleep or a wait until then has ended: the clocks show that moment or a later one. Outside sections. */
void raddle_time_is(raddle_moment moment);
/* The same if the result of a wait says that the time is up. */
static inline int raddle_timed(int error, raddle_moment until) {
    if (error == ETIMEDOUT) raddle_time_is(until);
    return error;
}

/* -- the rest --------------------------------------------------------------------------------------------------- */

_Noreturn void raddle_exit(int code);
/* Run when the process ends, before those registered earlier. Called for destructors before `main`. */
void raddle_at_exit(void (*handler)(void));
void raddle_run_exit_handlers(int code);
void *raddle_allocate(size_t size, int kind);
size_t raddle_string_length(const char *text);
/* Reads bytes as a call does that uses them. */
void raddle_look_at(const void *bytes, size_t size);
/* The value of a variable of the environment; null: there is none. */
char *raddle_find_variable(const char *name);
long long raddle_parse_signed(const char *text, char **end, int base, long long lowest, long long highest, int modern);
unsigned long long raddle_parse_unsigned(const char *text, char **end, int base, unsigned long long highest,
                                         int modern);
double raddle_parse_double(const char *text, char **end);

#endif
