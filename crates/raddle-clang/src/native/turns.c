/* Turns: a thread waits at a point until the schedule comes to it. */
#include "raddle_native.h"
#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

struct raddle_native_thread *raddle_native_threads;
__thread unsigned raddle_native_self = NONE;
__thread const struct raddle_native_step *raddle_native_last;
pthread_mutex_t raddle_native_gate = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t raddle_native_moved = PTHREAD_COND_INITIALIZER;
unsigned raddle_native_next; /* steps that are done */
static unsigned running = 0; /* the thread that had the last turn */

char *raddle_native_where(unsigned point, char *buffer, unsigned size) {
    if (point == NONE) {
        snprintf(buffer, size, "its begin");
        return buffer;
    }
    const struct raddle_native_point *p = &raddle_native_points[point];
    int length = snprintf(buffer, size, "%s:%u:%u", p->file, p->line, p->column);
    if (p->call && *p->call && length > 0 && (unsigned)length < size)
        snprintf(buffer + length, size - length, " (%s)", p->call);
    return buffer;
}

/* For debuggers: a breakpoint here stops at each context switch. */
__attribute__((noinline)) void raddle_native_switch(unsigned thread, const char *place) { __asm__ volatile("" ::: "memory"); }

/* The thread's next step at or after `from`. */
static unsigned own_step(unsigned thread, unsigned from) {
    while (from < raddle_native_step_count && raddle_native_steps[from].thread != thread) from++;
    return from;
}

_Noreturn void raddle_native_hang(void) {
    for (;;) pause();
}

/* With the gate: what the thread did since its last point counts as done. */
static void finish(struct raddle_native_thread *t) {
    if (!t->turn) return;
    t->turn = 0;
    t->cursor++;
    raddle_native_next++;
    pthread_cond_broadcast(&raddle_native_moved);
}

void raddle_native_finish_step(void) {
    pthread_mutex_lock(&raddle_native_gate);
    finish(&raddle_native_threads[raddle_native_self]);
    pthread_mutex_unlock(&raddle_native_gate);
}

void raddle_native_leave(enum raddle_native_state state) {
    struct raddle_native_thread *t = &raddle_native_threads[raddle_native_self];
    if (t->released) raddle_native_survived();
    pthread_mutex_lock(&raddle_native_gate);
    finish(t);
    t->state = state;
    pthread_cond_broadcast(&raddle_native_moved);
    pthread_mutex_unlock(&raddle_native_gate);
}

static const struct raddle_native_target *target_of(unsigned thread) {
    for (unsigned i = 0; i < raddle_native_target_count; i++)
        if (raddle_native_targets[i].thread == thread) return &raddle_native_targets[i];
    return 0;
}

static _Noreturn void lost(unsigned thread, unsigned point, unsigned expected) {
    char here[512], there[512];
    raddle_native_where(point, here, sizeof here);
    raddle_native_where(expected, there, sizeof there);
    raddle_native_diverged("thread T%u is at %s, where the schedule has it at %s", NUMBER(thread), here, there);
}

/* With the gate: the thread is where the schedule wants it in the end. */
static void stay(struct raddle_native_thread *t, enum raddle_native_state state) {
    t->state = state;
    pthread_cond_broadcast(&raddle_native_moved);
    while (!t->released) pthread_cond_wait(&raddle_native_moved, &raddle_native_gate);
    t->state = RUNNING;
}

static const struct raddle_native_step *take_turn(unsigned point, unsigned phase) {
    unsigned self = raddle_native_self;
    struct raddle_native_thread *t = &raddle_native_threads[self];
    char place[512];
    int error = errno;
    pthread_mutex_lock(&raddle_native_gate);
    finish(t);
    t->cursor = own_step(self, t->cursor);
    t->point = point;
    t->phase = phase;
    raddle_native_last = 0;
    const struct raddle_native_target *target = target_of(self);
    int early = raddle_native_goal == GOAL_REACHED && target && target->point == point && raddle_native_next >= raddle_native_from;
    if (t->cursor == raddle_native_step_count || early) {
        if (t->released) raddle_native_survived();
        if (target && (target->point != point || target->phase != phase)) {
            pthread_mutex_unlock(&raddle_native_gate);
            lost(self, point, target->point);
        }
        stay(t, target ? AT_TARGET : PARKED);
        pthread_mutex_unlock(&raddle_native_gate);
        errno = error;
        return 0;
    }
    const struct raddle_native_step *step = &raddle_native_steps[t->cursor];
    if (step->point != point || step->phase != phase) {
        pthread_mutex_unlock(&raddle_native_gate);
        lost(self, point, step->point);
    }
    t->state = WAITING;
    pthread_cond_broadcast(&raddle_native_moved);
    while (raddle_native_next != t->cursor) pthread_cond_wait(&raddle_native_moved, &raddle_native_gate);
    t->turn = 1;
    t->state = RUNNING;
    int switched = running != self;
    running = self;
    pthread_mutex_unlock(&raddle_native_gate);
    if (switched) raddle_native_switch(NUMBER(self), raddle_native_where(point, place, sizeof place));
    raddle_native_last = step;
    errno = error;
    return step;
}

void raddle_native_point(unsigned point, ...) {
    if (raddle_native_self == NONE) return; /* a thread that no wrapper created */
    struct raddle_native_thread *t = &raddle_native_threads[raddle_native_self];
    const struct raddle_native_point *p = &raddle_native_points[point];
    t->wait = WAIT_NOTHING;
    t->address = 0;
    t->call = point;
    if (p->wrapped) return;
    unsigned own = own_step(raddle_native_self, t->turn ? t->cursor + 1 : t->cursor);
    int over = own == raddle_native_step_count;
    const struct raddle_native_target *target = target_of(raddle_native_self);
    int at_target = target && target->point == point && raddle_native_goal != GOAL_DEADLOCK;
    if (p->call && !*p->call) {
        /* By pointer: a function of the program has no step, a wrapped one takes its own. */
        if (over ? !at_target : raddle_native_steps[own].point != point || raddle_native_steps[own].wrapped) return;
    }
    if (p->silent && (!at_target || raddle_native_next + t->turn < raddle_native_from || (!over && raddle_native_goal != GOAL_REACHED)))
        return;
    if (!p->call) {
        va_list arguments;
        va_start(arguments, point);
        t->address = p->size ? va_arg(arguments, void *) : 0;
        va_end(arguments);
    }
    take_turn(point, 0);
}

const struct raddle_native_step *raddle_native_call(unsigned phase, enum raddle_native_wait wait, void *object) {
    static const struct raddle_native_step none;
    if (raddle_native_self == NONE) return &none;
    struct raddle_native_thread *t = &raddle_native_threads[raddle_native_self];
    t->wait = wait;
    t->object = object;
    return take_turn(t->call, phase);
}

extern int raddle_native_user_main(int, char **, char **);

/* Before the program's own constructors. */
__attribute__((constructor(101))) static void prepare(void) {
    raddle_native_threads = calloc(raddle_native_thread_count, sizeof *raddle_native_threads);
    for (unsigned i = 0; i < raddle_native_thread_count; i++) raddle_native_threads[i].point = NONE;
    raddle_native_threads[0].state = RUNNING;
    raddle_native_threads[0].id = pthread_self();
    raddle_native_watch();
    raddle_native_self = 0;
}

int main(int count, char **arguments, char **environment) {
    raddle_native_user_main(count, arguments, environment);
    /* The process does not end before the schedule: in the trace, what others still do comes before the end. */
    raddle_native_end_process();
}
