// what: two threads begin their lists of variadic arguments in one global
// expect: race=violated
#include <pthread.h>
#include <stdarg.h>

static va_list list;

static int first(int count, ...) {
    va_start(list, count); //~ RACE
    va_end(list);
    return count;
}

static void *child(void *argument) {
    first(1, 10);
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, child, NULL);
    first(1, 20);
    pthread_join(thread, NULL);
    return 0;
}
