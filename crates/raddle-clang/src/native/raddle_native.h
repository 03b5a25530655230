/* The runtime of a native replay: the program's threads take their turns in the order of a recorded schedule.
 *
 * The program calls raddle_native_point before each instruction that a schedule may name. A thread waits there until the
 * schedule says that it is its turn, and has the turn until it arrives at its next point: so one thread at a time executes
 * code that others can see. Wrappers of library functions (wrappers.c) are points with one or two phases; what they lock and
 * post is real. Barriers, conditions and once-controls are followed by the runtime itself, because the C library gives
 * no way to say which waiter is woken.
 *
 * schedule.c is generated: the points, the steps, and what must hold at the end.
 */
#ifndef RADDLE_NATIVE_H
#define RADDLE_NATIVE_H
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <pthread.h>
#include <stdint.h>

#define WRAPS(name) raddle_native_##name
#define NONE 0xffffffffu
#define NUMBER(thread) raddle_native_numbers[thread]

/* A place in the program. */
struct raddle_native_point {
    const char *file;
    unsigned line, column;
    const char *function;
    const char *call; /* the library function that is called; null for an access; "" for a call by pointer */
    unsigned size;    /* bytes of the access; 0 when not known */
    unsigned char wrapped; /* the called function has a wrapper */
    unsigned char asserts; /* the called function is an assertion of the runtime */
    unsigned char silent;  /* no step of its own: it only matters as the place of the failure */
};

/* A step of the schedule. */
struct raddle_native_step {
    unsigned thread, point;
    unsigned char phase;      /* of a call: 0 its effect or the begin of its wait, 1 the end of its wait */
    unsigned char has_result;
    unsigned char wrapped;    /* taken by a wrapper */
    unsigned child;           /* of a creation: the thread */
    unsigned long long result;
};

/* Where a thread must be when the schedule is over. */
struct raddle_native_target {
    unsigned thread, point;
    unsigned char phase;
};

enum raddle_native_goal {
    GOAL_DEADLOCK = 1, /* each of them is blocked */
    GOAL_RACE,         /* both are at their accesses, to the same bytes */
    GOAL_ORDER,        /* the one access was made, the other comes next */
    GOAL_CALL,         /* the call fails */
    GOAL_MEMORY,       /* the access fails */
    GOAL_REACHED       /* the instruction is reached; its failure has no native effect that could be seen */
};

extern const struct raddle_native_point raddle_native_points[];
extern const struct raddle_native_step raddle_native_steps[];
extern const unsigned raddle_native_step_count, raddle_native_thread_count;
extern const unsigned raddle_native_from; /* so many steps are done before the targets can be reached */
extern const unsigned raddle_native_numbers[]; /* what the trace calls the threads */
extern const struct raddle_native_target raddle_native_targets[];
extern const unsigned raddle_native_target_count;
extern const enum raddle_native_goal raddle_native_goal;
extern const int raddle_native_reuses; /* freed memory may be handed out again */
extern const char *const raddle_native_failure; /* the message of the trace */

/* What a thread waits for in a wrapper. */
enum raddle_native_wait {
    WAIT_NOTHING, WAIT_MUTEX, WAIT_READ, WAIT_WRITE, WAIT_SPIN, WAIT_SEMAPHORE, WAIT_CONDITION, WAIT_BARRIER, WAIT_JOIN,
    WAIT_ONCE
};

enum raddle_native_state { ABSENT, RUNNING, WAITING, AT_TARGET, PARKED, EXITED, ENDED };

struct raddle_native_thread {
    enum raddle_native_state state;
    pthread_t id;
    unsigned cursor;    /* its steps before this one are done */
    unsigned char turn; /* it has the turn: step `cursor` */
    unsigned char released; /* at its target: executes it */
    unsigned call;      /* the point of the call that a wrapper is in */
    unsigned point, phase; /* where it was last */
    const void *address;   /* of the access there */
    enum raddle_native_wait wait; /* of the wrapper that it is in */
    void *object, *mutex;
    unsigned round; /* of the barrier, when it arrived */
};

extern struct raddle_native_thread *raddle_native_threads;
extern __thread unsigned raddle_native_self;
/* The step that the last point of this thread took; null if it took none. */
extern __thread const struct raddle_native_step *raddle_native_last;
extern pthread_mutex_t raddle_native_gate;
extern pthread_cond_t raddle_native_moved;
extern unsigned raddle_native_next;

/* turns.c. A wrapper's turn: null once the thread executes its failure. */
const struct raddle_native_step *raddle_native_call(unsigned phase, enum raddle_native_wait wait, void *object);
void raddle_native_finish_step(void);
void raddle_native_leave(enum raddle_native_state state);
_Noreturn void raddle_native_hang(void);
void raddle_native_switch(unsigned thread, const char *place);
char *raddle_native_where(unsigned point, char *buffer, unsigned size);

/* verdict.c. All but raddle_native_say end the process. */
_Noreturn void raddle_native_diverged(const char *format, ...);
_Noreturn void raddle_native_reproduced(const char *format, ...);
_Noreturn void raddle_native_survived(void);
void raddle_native_tell(const char *word, const char *format, ...);
void raddle_native_watch(void);
void raddle_native_freed(const void *block, unsigned long size);
void raddle_native_allocated(const void *block, unsigned long size);

/* An assertion fails in this thread; returns to fail natively too. */
void raddle_native_failing(const char *assertion);

/* wrappers.c. */
int raddle_native_is_signalled(unsigned thread);
unsigned raddle_native_rounds(void *object);
_Noreturn void raddle_native_end_process(void);
#endif
