/* Attributes of POSIX threads. The detach state is honoured; all else is kept, so that it reads back, and has no
 * effect. Attribute objects are ordinary memory: two threads that use one without order race on it.
 *
 * Deviations: 1. the layout is ours, within the size of glibc's pthread_attr_t (56 and 36 bytes). 2. Using attributes
 * that were never initialised is a `locks` fault; then the defaults hold.
 * Misses: a stack given by the user is not used.
 */
#include "model.h"

struct attributes {
    int detached, policy, priority, inherit, scope;
    size_t stack_size, guard_size;
    void *stack;
};

static int usable(const struct attributes *attributes) {
    if (__raddle_is_determinate(attributes, offsetof(struct attributes, scope) + sizeof attributes->scope)) return 1;
    __raddle_fault(RADDLE_LOCKS, "use of thread attributes that were not initialised", attributes);
    return 0;
}

int raddle_attr_detached(const void *attributes) {
    const struct attributes *a = (const struct attributes *)attributes;
    return usable(a) ? a->detached : 0;
}

/* pthread_attr_init: the defaults */
int pthread_attr_init(struct attributes *a) {
    a->detached = a->policy = a->priority = a->inherit = a->scope = 0;
    a->stack_size = 8u << 20;
    a->guard_size = 4096;
    a->stack = 0;
    return 0;
}

/* pthread_attr_destroy: no effect */
int pthread_attr_destroy(struct attributes *a) {
    usable(a);
    return 0;
}

/* pthread_attr_setdetachstate: honoured by pthread_create */
int pthread_attr_setdetachstate(struct attributes *a, int state) {
    if (state != 0 && state != 1) return EINVAL;
    a->detached = state;
    return 0;
}

/* pthread_attr_getdetachstate: what was set */
int pthread_attr_getdetachstate(const struct attributes *a, int *state) { *state = a->detached; return 0; }

/* pthread_attr_setstacksize: kept, without effect */
int pthread_attr_setstacksize(struct attributes *a, size_t size) {
    if (size < 16384) return EINVAL;
    a->stack_size = size;
    return 0;
}

/* pthread_attr_getstacksize: what was set */
int pthread_attr_getstacksize(const struct attributes *a, size_t *size) { *size = a->stack_size; return 0; }

/* pthread_attr_setstack: kept, without effect: the machine has stacks of its own */
int pthread_attr_setstack(struct attributes *a, void *stack, size_t size) {
    if (size < 16384) return EINVAL;
    a->stack = stack;
    a->stack_size = size;
    return 0;
}

/* pthread_attr_getstack: what was set */
int pthread_attr_getstack(const struct attributes *a, void **stack, size_t *size) {
    *stack = a->stack;
    *size = a->stack_size;
    return 0;
}

/* pthread_attr_setguardsize: kept, without effect */
int pthread_attr_setguardsize(struct attributes *a, size_t size) { a->guard_size = size; return 0; }

/* pthread_attr_getguardsize: what was set */
int pthread_attr_getguardsize(const struct attributes *a, size_t *size) { *size = a->guard_size; return 0; }

/* pthread_attr_setscope: kept, without effect */
int pthread_attr_setscope(struct attributes *a, int scope) {
    if (scope == 1) return ENOTSUP;
    if (scope != 0) return EINVAL;
    a->scope = scope;
    return 0;
}

/* pthread_attr_getscope: what was set */
int pthread_attr_getscope(const struct attributes *a, int *scope) { *scope = a->scope; return 0; }

/* pthread_attr_setinheritsched: kept, without effect */
int pthread_attr_setinheritsched(struct attributes *a, int inherit) {
    if (inherit != 0 && inherit != 1) return EINVAL;
    a->inherit = inherit;
    return 0;
}

/* pthread_attr_getinheritsched: what was set */
int pthread_attr_getinheritsched(const struct attributes *a, int *inherit) { *inherit = a->inherit; return 0; }

/* pthread_attr_setschedpolicy: kept, without effect: every schedule is possible anyway */
int pthread_attr_setschedpolicy(struct attributes *a, int policy) {
    if (policy < 0 || policy > 2) return EINVAL;
    a->policy = policy;
    return 0;
}

/* pthread_attr_getschedpolicy: what was set */
int pthread_attr_getschedpolicy(const struct attributes *a, int *policy) { *policy = a->policy; return 0; }

/* pthread_attr_setschedparam: kept, without effect; EINVAL for a priority that the policy does not have */
int pthread_attr_setschedparam(struct attributes *a, const int *priority) {
    int lowest = a->policy != 0, highest = a->policy != 0 ? 99 : 0;
    if (*priority < lowest || *priority > highest) return EINVAL;
    a->priority = *priority;
    return 0;
}

/* pthread_attr_getschedparam: what was set */
int pthread_attr_getschedparam(const struct attributes *a, int *priority) { *priority = a->priority; return 0; }
