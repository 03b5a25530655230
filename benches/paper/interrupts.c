// A peripheral core raises interrupts in a status register that it shares with the main core: a key was pressed, a timer
// expired, a transfer is complete. The main core polls the register, acknowledges what it has seen, and dispatches it to
// handlers. Each interrupt that was raised must be handled exactly once.
//
// With -DBAD flags are set and cleared by a read and a write of the register, in place of its set and clear registers: a flag
// that comes in between is lost.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include "input.h"

#ifndef N
#define N 3
#endif

enum { KEY, TIMER, TRANSFER, SOURCES };
enum { QUEUE = 4, SHUTDOWN = 1u << SOURCES };

static atomic_uint status; // a bit for each source, and the one for shutdown
static atomic_int credit[SOURCES] = {1, 1, 1}; // a source may raise again when its last interrupt was handled

// -- registers

static void status_set(unsigned bits) {
#ifdef BAD
    unsigned old = atomic_load(&status);
    atomic_store(&status, old | bits);
#else
    atomic_fetch_or(&status, bits);
#endif
}

static void status_clear(unsigned bits) {
#ifdef BAD
    unsigned old = atomic_load(&status);
    atomic_store(&status, old & ~bits);
#else
    atomic_fetch_and(&status, ~bits);
#endif
}

// -- the peripheral core

static int raised[SOURCES];

static void *peripheral_core(void *unused) {
    for (int i = 0; i < N; i++) {
        int source = input(0, SOURCES - 1);
        if (atomic_load(&credit[source]) == 0) continue;
        atomic_fetch_sub(&credit[source], 1);
        raised[source]++;
        status_set(1u << source);
    }
    status_set(SHUTDOWN);
    return unused;
}

// -- the main core

struct event {
    uint8_t source;
    uint8_t count;
};

static struct event queue[QUEUE];
static int queued;
static int handled[SOURCES];

static void queue_put(int source) {
    for (int i = 0; i < queued; i++) {
        if (queue[i].source == source) {
            queue[i].count++;
            return;
        }
    }
    assert(queued < QUEUE);
    queue[queued].source = (uint8_t)source;
    queue[queued].count = 1;
    queued++;
}

static void queue_dispatch(void) {
    for (int i = 0; i < queued; i++) {
        assert(queue[i].source < SOURCES);
        handled[queue[i].source] += queue[i].count;
        atomic_fetch_add(&credit[queue[i].source], queue[i].count);
    }
    queued = 0;
}

static void *main_core(void *unused) {
    for (int stopped = 0; !stopped;) {
        unsigned bits;
        while ((bits = atomic_load(&status)) == 0) {
        }
        status_clear(bits);
        for (int source = 0; source < SOURCES; source++)
            if (bits & (1u << source)) queue_put(source);
        queue_dispatch();
        stopped = (bits & SHUTDOWN) != 0;
    }
    return unused;
}

int main(void) {
    pthread_t peripheral, application;
    pthread_create(&peripheral, NULL, peripheral_core, NULL);
    pthread_create(&application, NULL, main_core, NULL);
    pthread_join(peripheral, NULL);
    pthread_join(application, NULL);
    for (int source = 0; source < SOURCES; source++) assert(handled[source] == raised[source]);
    return 0;
}
