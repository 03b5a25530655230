/* Thread-specific data: keys, values, destructors.
 *
 * Deviations: 1. at most RADDLE_KEYS keys at a time; more are unsupported. 2. Destructors run in the order of the keys
 * (POSIX leaves the order open); at most four rounds, as in glibc. 3. A deleted key's number is given out again only
 * when no thread has a value left under it, so that a new key always starts with null.
 * Faults: using a key that does not exist is a `locks` fault.
 */
#include "model.h"

struct key {
    void (*destructor)(void *);
    int exists;
    int values;                     /* how many threads have a value other than null */
};
static struct key keys[RADDLE_KEYS];

int raddle_key_create(unsigned *key, void (*destructor)(void *)) {
    unsigned chosen = 0;
    __raddle_fixed("key destructors run in key order");
    __raddle_begin();
    while (chosen < RADDLE_KEYS && (keys[chosen].exists || keys[chosen].values)) chosen++;
    if (chosen == RADDLE_KEYS) __raddle_unsupported("pthread_key_create: more than 64 keys");
    keys[chosen].exists = 1;
    keys[chosen].destructor = destructor;
    __raddle_end();
    *key = chosen;
    return 0;
}

/* Part of a section. */
static int exists(unsigned key) {
    if (key < RADDLE_KEYS && keys[key].exists) return 1;
    __raddle_fault(RADDLE_LOCKS, "use of a thread-specific key that does not exist", 0);
    return 0;
}

int raddle_key_delete(unsigned key) {
    __raddle_begin();
    int good = exists(key);
    if (good) {
        keys[key].exists = 0;
        keys[key].destructor = 0;
    }
    __raddle_end();
    return good ? 0 : EINVAL;
}

void *raddle_key_get(unsigned key) {
    void *value = 0;
    __raddle_begin();
    if (exists(key)) {
        struct raddle_thread *thread = raddle_current();
        if (thread->values) value = thread->values[key];
    }
    __raddle_end();
    return value;
}

/* Part of a section. */
static void set(struct raddle_thread *thread, unsigned key, void *value) {
    if (!thread->values) {
        if (!value) return;
        thread->values = (void **)__raddle_alloc(RADDLE_KEYS * sizeof(void *), RADDLE_INTERNAL);
    }
    keys[key].values += (value != 0) - (thread->values[key] != 0);
    thread->values[key] = value;
}

int raddle_key_set(unsigned key, void *value) {
    __raddle_begin();
    int good = exists(key);
    if (good) set(raddle_current(), key, value);
    __raddle_end();
    return good ? 0 : EINVAL;
}

RADDLE_ACTS_AFTER("pthread_key_create tss_create")
void raddle_key_destructors(void) {
    int again = 1;
    for (int round = 0; again && round < RADDLE_DESTRUCTOR_ROUNDS; round++) {
        again = 0;
        for (unsigned key = 0; key < RADDLE_KEYS; key++) {
            void (*destructor)(void *) = 0;
            void *value = 0;
            struct raddle_thread *thread = raddle_current();
            __raddle_begin();
            if (!thread->values) {
                __raddle_end();
                return;
            }
            while (key < RADDLE_KEYS && !thread->values[key]) key++;
            if (key < RADDLE_KEYS) {
                value = thread->values[key];
                if (keys[key].exists) destructor = keys[key].destructor;
                set(thread, key, 0);
            }
            __raddle_end();
            if (destructor) {
                again = 1;
                destructor(value);
            }
        }
    }
    __raddle_begin();
    struct raddle_thread *thread = raddle_current();
    for (unsigned key = 0; key < RADDLE_KEYS; key++)
        if (thread->values[key]) set(thread, key, 0);
    __raddle_free(thread->values);
    thread->values = 0;
    __raddle_end();
}

/* pthread_key_create: a new key; values start as null */
int pthread_key_create(unsigned *key, void (*destructor)(void *)) {
    __raddle_fixed("initialising synchronisation objects and keys never fails");
    return raddle_key_create(key, destructor);
}

/* pthread_key_delete: the key ends; no destructor runs */
RADDLE_ORDERED("0 1 35 130")
int pthread_key_delete(unsigned key) { return raddle_key_delete(key); }

/* pthread_getspecific: this thread's value */
RADDLE_ORDERED("always")
void *pthread_getspecific(unsigned key) { return raddle_key_get(key); }

/* pthread_setspecific: sets this thread's value */
RADDLE_ORDERED("0 1 35 130")
int pthread_setspecific(unsigned key, const void *value) { return raddle_key_set(key, (void *)value); }
