// what: two threads copy their lists of variadic arguments into one global
// expect: race=violated
#include <pthread.h>
#include <stdarg.h>

static va_list list;

static int first(int count, ...) {
    va_list own;
    va_start(own, count);
    va_copy(list, own); //~ RACE
    va_end(list);
    va_end(own);
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
