// what: each thread has a list of variadic arguments of its own
// expect: assert=ok race=ok
// proved: explicit
#include <assert.h>
#include <pthread.h>
#include <stdarg.h>

static int sum(int count, ...) {
    va_list list, copy;
    int total = 0;
    va_start(list, count);
    va_copy(copy, list);
    for (int i = 0; i < count; i++) total += va_arg(list, int);
    for (int i = 0; i < count; i++) total += va_arg(copy, int);
    va_end(copy);
    va_end(list);
    return total;
}

static void *child(void *argument) {
    assert(sum(2, 1, 2) == 6);
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, child, NULL);
    assert(sum(1, 5) == 10);
    pthread_join(thread, NULL);
    return 0;
}
