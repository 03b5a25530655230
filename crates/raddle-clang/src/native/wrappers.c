/* Wrappers of library functions that block, wake, create threads or allocate. Each has its turn by the schedule; its result
 * must be the one of the trace. */
#include "raddle_native.h"
#include <assert.h>
#include <errno.h>
#include <malloc.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

typedef const struct raddle_native_step *Step;

#define TURN(wait, object) raddle_native_call(0, wait, (void *)(object))
#define SECOND_TURN(wait, object) raddle_native_call(1, wait, (void *)(object))
#define ME (&raddle_native_threads[raddle_native_self])

/* The native result, which must be the one of the trace. */
static int checked(Step step, int result) {
    if (step && step->has_result && (unsigned)result != (unsigned)step->result) {
        char here[512];
        raddle_native_where(step->point, here, sizeof here);
        raddle_native_diverged("thread T%u: %s gives %d, in the trace %d", NUMBER(step->thread), here, result, (int)step->result);
    }
    return result;
}

/* Whether the call succeeds in the trace: then it must succeed at once. */
static int succeeds(Step step) { return !step || !step->has_result || (int)step->result == 0; }

/* -- threads ------------------------------------------------------------------------------------------------------ */

struct start {
    unsigned number;
    void *(*body)(void *);
    int (*c11)(void *);
    void *argument;
};

static void *begin(void *block) {
    struct start start = *(struct start *)block;
    free(block);
    raddle_native_self = start.number;
    void *result = start.body ? start.body(start.argument) : (void *)(intptr_t)start.c11(start.argument);
    raddle_native_leave(ENDED);
    return result;
}

static int create(pthread_t *id, const pthread_attr_t *attributes, struct start start) {
    Step step = TURN(WAIT_NOTHING, 0);
    struct start *block = malloc(sizeof *block);
    *block = start;
    if (!step->child) raddle_native_diverged("thread T%u creates a thread that the trace does not have", NUMBER(raddle_native_self));
    block->number = step->child;
    struct raddle_native_thread *child = &raddle_native_threads[step->child];
    pthread_t made;
    pthread_mutex_lock(&raddle_native_gate);
    int result = pthread_create(&made, attributes, begin, block);
    child->id = made;
    child->state = RUNNING;
    pthread_mutex_unlock(&raddle_native_gate);
    if (start.c11) *id = made;
    step = SECOND_TURN(WAIT_NOTHING, 0);
    if (!start.c11) *id = made;
    return checked(step, result);
}

int WRAPS(pthread_create)(pthread_t *id, const pthread_attr_t *attributes, void *(*body)(void *), void *argument) {
    return create(id, attributes, (struct start){0, body, 0, argument});
}
int WRAPS(thrd_create)(thrd_t *id, thrd_start_t body, void *argument) {
    return create(id, 0, (struct start){0, 0, body, argument});
}

int WRAPS(pthread_join)(pthread_t id, void **result) {
    Step step = TURN(WAIT_JOIN, id);
    return checked(step, succeeds(step) ? pthread_join(id, result) : (int)step->result);
}
int WRAPS(thrd_join)(thrd_t id, int *result) {
    Step step = TURN(WAIT_JOIN, id);
    return checked(step, succeeds(step) ? thrd_join(id, result) : (int)step->result);
}
void WRAPS(pthread_exit)(void *result) {
    TURN(WAIT_NOTHING, 0);
    raddle_native_leave(ENDED);
    pthread_exit(result);
}
void WRAPS(thrd_exit)(int result) {
    TURN(WAIT_NOTHING, 0);
    raddle_native_leave(ENDED);
    thrd_exit(result);
}

/* The process ends with the schedule, not before: what others still do comes earlier in the trace. */
static _Noreturn void leave(void) {
    raddle_native_leave(EXITED);
    raddle_native_hang();
}
static void stop(void) {
    TURN(WAIT_NOTHING, 0);
    leave();
}

static void (*handlers[64])(void);
static unsigned handler_count;

void raddle_native_end_process(void) {
    while (handler_count) handlers[--handler_count]();
    leave();
}
int WRAPS(atexit)(void (*handler)(void)) {
    Step step = TURN(WAIT_NOTHING, 0);
    if (handler_count == sizeof handlers / sizeof *handlers) raddle_native_diverged("more than 64 exit handlers");
    handlers[handler_count++] = handler;
    return checked(step, 0);
}
void WRAPS(exit)(int code) {
    TURN(WAIT_NOTHING, 0);
    raddle_native_end_process();
}
void WRAPS(_exit)(int code) { stop(); }
void WRAPS(_Exit)(int code) { stop(); }
void WRAPS(quick_exit)(int code) { stop(); }
void WRAPS(abort)(void) { stop(); }

/* -- mutexes ------------------------------------------------------------------------------------------------------ */

static int lock(pthread_mutex_t *mutex, int (*otherwise)(pthread_mutex_t *)) {
    Step step = TURN(WAIT_MUTEX, mutex);
    /* A trylock, so that a lock that would have to wait is noticed. */
    return checked(step, succeeds(step) ? pthread_mutex_trylock(mutex) : otherwise ? otherwise(mutex) : (int)step->result);
}
int WRAPS(pthread_mutex_lock)(pthread_mutex_t *mutex) { return lock(mutex, pthread_mutex_lock); }
int WRAPS(pthread_mutex_trylock)(pthread_mutex_t *mutex) { return lock(mutex, pthread_mutex_trylock); }
int WRAPS(pthread_mutex_timedlock)(pthread_mutex_t *mutex, const struct timespec *until) { return lock(mutex, 0); }
int WRAPS(pthread_mutex_clocklock)(pthread_mutex_t *mutex, clockid_t clock, const struct timespec *until) { return lock(mutex, 0); }
int WRAPS(pthread_mutex_unlock)(pthread_mutex_t *mutex) {
    Step step = TURN(WAIT_NOTHING, mutex);
    return checked(step, pthread_mutex_unlock(mutex));
}
int WRAPS(mtx_lock)(mtx_t *mutex) {
    Step step = TURN(WAIT_MUTEX, mutex);
    return checked(step, succeeds(step) ? mtx_trylock(mutex) : mtx_lock(mutex));
}
int WRAPS(mtx_trylock)(mtx_t *mutex) {
    Step step = TURN(WAIT_MUTEX, mutex);
    return checked(step, mtx_trylock(mutex));
}
int WRAPS(mtx_timedlock)(mtx_t *mutex, const struct timespec *until) {
    Step step = TURN(WAIT_MUTEX, mutex);
    return checked(step, succeeds(step) ? mtx_trylock(mutex) : (int)step->result);
}
int WRAPS(mtx_unlock)(mtx_t *mutex) {
    Step step = TURN(WAIT_NOTHING, mutex);
    return checked(step, mtx_unlock(mutex));
}

/* -- condition variables: followed here, with the real mutex ---------------------------------------------------- */

struct waiter {
    void *condition;
    unsigned char waits, signalled; /* by a broadcast */
};
struct condition {
    void *object;
    unsigned waiting, signals; /* waiters that no broadcast woke; signals for one of them each */
    struct condition *other;
};
static struct waiter *waiters;
static struct condition *conditions;

static struct condition *condition_of(void *object) {
    if (!waiters) waiters = calloc(raddle_native_thread_count, sizeof *waiters);
    for (struct condition *c = conditions; c; c = c->other)
        if (c->object == object) return c;
    struct condition *c = calloc(1, sizeof *c);
    c->object = object;
    c->other = conditions;
    return conditions = c;
}

int raddle_native_is_signalled(unsigned thread) {
    if (!waiters || !waiters[thread].waits) return 0;
    return waiters[thread].signalled || condition_of(waiters[thread].condition)->signals > 0;
}

static int wait_on(void *condition, pthread_mutex_t *mutex, int timed_out) {
    Step step = TURN(WAIT_CONDITION, condition);
    struct condition *c = condition_of(condition);
    struct waiter *own = &waiters[raddle_native_self];
    int result = pthread_mutex_unlock(mutex);
    if (result) raddle_native_diverged("thread T%u waits without the mutex: error %d", NUMBER(raddle_native_self), result);
    *own = (struct waiter){condition, 1, 0};
    c->waiting++;
    ME->mutex = mutex;
    step = SECOND_TURN(WAIT_CONDITION, condition);
    int late = step && step->has_result && (int)step->result == timed_out;
    if (!own->signalled) {
        c->waiting--;
        if (!late && c->signals) c->signals--;
        else if (!late) raddle_native_tell("note", "the wake-up of T%u is spurious, as in the trace", NUMBER(raddle_native_self));
        if (c->signals > c->waiting) c->signals = c->waiting;
    }
    own->waits = 0;
    result = pthread_mutex_trylock(mutex);
    if (result == EBUSY) {
        char here[512];
        raddle_native_where(step->point, here, sizeof here);
        raddle_native_diverged("thread T%u cannot take the mutex again at %s", NUMBER(raddle_native_self), here);
    }
    return step && step->has_result ? (int)step->result : result;
}
int WRAPS(pthread_cond_wait)(pthread_cond_t *c, pthread_mutex_t *m) { return wait_on(c, m, ETIMEDOUT); }
int WRAPS(pthread_cond_timedwait)(pthread_cond_t *c, pthread_mutex_t *m, const struct timespec *t) { return wait_on(c, m, ETIMEDOUT); }
int WRAPS(pthread_cond_clockwait)(pthread_cond_t *c, pthread_mutex_t *m, clockid_t k, const struct timespec *t) { return wait_on(c, m, ETIMEDOUT); }
int WRAPS(cnd_wait)(cnd_t *c, mtx_t *m) { return wait_on(c, (pthread_mutex_t *)m, thrd_timedout); }
int WRAPS(cnd_timedwait)(cnd_t *c, mtx_t *m, const struct timespec *t) { return wait_on(c, (pthread_mutex_t *)m, thrd_timedout); }

static int signal_one(void *condition) {
    TURN(WAIT_NOTHING, condition);
    struct condition *c = condition_of(condition);
    if (c->signals < c->waiting) c->signals++;
    return 0;
}
static int signal_all(void *condition) {
    TURN(WAIT_NOTHING, condition);
    struct condition *c = condition_of(condition);
    for (unsigned i = 0; i < raddle_native_thread_count; i++)
        if (waiters[i].waits && waiters[i].condition == condition) waiters[i].signalled = 1;
    c->waiting = c->signals = 0;
    return 0;
}
int WRAPS(pthread_cond_signal)(pthread_cond_t *c) { return signal_one(c); }
int WRAPS(pthread_cond_broadcast)(pthread_cond_t *c) { return signal_all(c); }
int WRAPS(cnd_signal)(cnd_t *c) { return signal_one(c); }
int WRAPS(cnd_broadcast)(cnd_t *c) { return signal_all(c); }

/* -- other locks -------------------------------------------------------------------------------------------------- */

#define LOCKS(name, type, wait, real) \
    int WRAPS(name)(type *lock) { \
        Step step = TURN(wait, lock); \
        return checked(step, real(lock)); \
    }
LOCKS(pthread_rwlock_tryrdlock, pthread_rwlock_t, WAIT_READ, pthread_rwlock_tryrdlock) /* WRAPS(pthread_rwlock_tryrdlock) */
LOCKS(pthread_rwlock_trywrlock, pthread_rwlock_t, WAIT_WRITE, pthread_rwlock_trywrlock) /* WRAPS(pthread_rwlock_trywrlock) */
LOCKS(pthread_rwlock_unlock, pthread_rwlock_t, WAIT_NOTHING, pthread_rwlock_unlock) /* WRAPS(pthread_rwlock_unlock) */
LOCKS(pthread_spin_lock, pthread_spinlock_t, WAIT_SPIN, pthread_spin_trylock) /* WRAPS(pthread_spin_lock) */
LOCKS(pthread_spin_trylock, pthread_spinlock_t, WAIT_SPIN, pthread_spin_trylock) /* WRAPS(pthread_spin_trylock) */
LOCKS(pthread_spin_unlock, pthread_spinlock_t, WAIT_NOTHING, pthread_spin_unlock) /* WRAPS(pthread_spin_unlock) */
LOCKS(sem_wait, sem_t, WAIT_SEMAPHORE, sem_trywait) /* WRAPS(sem_wait) */
LOCKS(sem_trywait, sem_t, WAIT_SEMAPHORE, sem_trywait) /* WRAPS(sem_trywait) */
LOCKS(sem_post, sem_t, WAIT_NOTHING, sem_post) /* WRAPS(sem_post) */

int WRAPS(pthread_rwlock_rdlock)(pthread_rwlock_t *lock) {
    Step step = TURN(WAIT_READ, lock);
    return checked(step, succeeds(step) ? pthread_rwlock_tryrdlock(lock) : pthread_rwlock_rdlock(lock));
}
int WRAPS(pthread_rwlock_wrlock)(pthread_rwlock_t *lock) {
    Step step = TURN(WAIT_WRITE, lock);
    return checked(step, succeeds(step) ? pthread_rwlock_trywrlock(lock) : pthread_rwlock_wrlock(lock));
}
int WRAPS(sem_timedwait)(sem_t *semaphore, const struct timespec *until) {
    Step step = TURN(WAIT_SEMAPHORE, semaphore);
    if (succeeds(step)) return checked(step, sem_trywait(semaphore));
    errno = ETIMEDOUT;
    return -1;
}

/* -- barriers and once-controls: followed here -------------------------------------------------------------------- */

struct meeting {
    void *object;
    unsigned count, arrived, rounds; /* of a once-control: rounds 0 not begun, 1 begun, 2 done */
    struct meeting *other;
};
static struct meeting *meetings;

static struct meeting *meeting_of(void *object) {
    for (struct meeting *m = meetings; m; m = m->other)
        if (m->object == object) return m;
    struct meeting *m = calloc(1, sizeof *m);
    m->object = object;
    m->other = meetings;
    return meetings = m;
}

unsigned raddle_native_rounds(void *object) { return meeting_of(object)->rounds; }

int WRAPS(pthread_barrier_init)(pthread_barrier_t *barrier, const pthread_barrierattr_t *attributes, unsigned count) {
    Step step = TURN(WAIT_NOTHING, barrier);
    *meeting_of(barrier) = (struct meeting){barrier, count, 0, 0, meeting_of(barrier)->other};
    return checked(step, pthread_barrier_init(barrier, attributes, count));
}
int WRAPS(pthread_barrier_wait)(pthread_barrier_t *barrier) {
    Step step = TURN(WAIT_BARRIER, barrier);
    struct meeting *m = meeting_of(barrier);
    unsigned round = ME->round = m->rounds;
    if (++m->arrived == m->count) m->arrived = 0, m->rounds++;
    step = SECOND_TURN(WAIT_BARRIER, barrier);
    if (m->rounds == round) raddle_native_diverged("thread T%u leaves a barrier before all have arrived", NUMBER(raddle_native_self));
    return step ? (int)step->result : 0;
}

static void once(void *control, void (*routine)(void)) {
    TURN(WAIT_ONCE, control);
    unsigned call = ME->call;
    struct meeting *m = meeting_of(control);
    if (m->rounds == 1) raddle_native_diverged("thread T%u passes a once-control whose routine has not ended", NUMBER(raddle_native_self));
    if (m->rounds == 0) {
        m->rounds = 1;
        routine();
    }
    ME->call = call;
    SECOND_TURN(WAIT_ONCE, control);
    m->rounds = 2;
}
int WRAPS(pthread_once)(pthread_once_t *control, void (*routine)(void)) {
    once(control, routine);
    return 0;
}
void WRAPS(call_once)(once_flag *control, void (*routine)(void)) { once(control, routine); }

/* -- memory ------------------------------------------------------------------------------------------------------- */

/* Whether the allocation fails in the trace. */
static int fails(Step step) { return step && step->has_result && step->result == 0; }

void *WRAPS(malloc)(size_t size) {
    void *block = fails(TURN(WAIT_NOTHING, 0)) ? 0 : malloc(size);
    raddle_native_allocated(block, size);
    return block;
}
void *WRAPS(calloc)(size_t count, size_t size) {
    void *block = fails(TURN(WAIT_NOTHING, 0)) ? 0 : calloc(count, size);
    raddle_native_allocated(block, count * size);
    return block;
}
void *WRAPS(realloc)(void *old, size_t size) {
    if (fails(TURN(WAIT_NOTHING, old))) return 0;
    if (old) raddle_native_freed(old, 0);
    void *block = raddle_native_reuses ? realloc(old, size) : malloc(size);
    if (!raddle_native_reuses && old && block) {
        size_t before = malloc_usable_size(old);
        memcpy(block, old, before < size ? before : size);
    }
    raddle_native_allocated(block, size);
    return block;
}
void WRAPS(free)(void *block) {
    TURN(WAIT_NOTHING, block);
    if (block) raddle_native_freed(block, 0);
    /* In the trace, the address is not handed out again. */
    if (raddle_native_reuses) free(block);
}

/* -- time: the schedule alone decides -------------------------------------------------------------------------------- */

unsigned WRAPS(sleep)(unsigned seconds) { return TURN(WAIT_NOTHING, 0), 0; }
int WRAPS(usleep)(useconds_t time) { return TURN(WAIT_NOTHING, 0), 0; }
int WRAPS(nanosleep)(const struct timespec *time, struct timespec *rest) { return TURN(WAIT_NOTHING, 0), 0; }
int WRAPS(thrd_sleep)(const struct timespec *time, struct timespec *rest) { return TURN(WAIT_NOTHING, 0), 0; }
int WRAPS(sched_yield)(void) { return TURN(WAIT_NOTHING, 0), 0; }
void WRAPS(thrd_yield)(void) { TURN(WAIT_NOTHING, 0); }

/* -- assertions --------------------------------------------------------------------------------------------------- */

void WRAPS(__assert_fail)(const char *expression, const char *file, unsigned line, const char *function) {
    TURN(WAIT_NOTHING, 0);
    raddle_native_failing(expression);
    __assert_fail(expression, file, line, function);
}
