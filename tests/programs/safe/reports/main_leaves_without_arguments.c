// what: main leaves because there are no arguments, so the race behind it is never executed, and the proof says so
// expect: assert=ok race=ok
// says: main is called with argc = 1
// says: `main` reads its arguments but was called with argc = 1; 1 function(s) were never entered (`work`)
// says: no thread was created
// says: reached: 1 of 2 functions; 0 threads created
// why: argc is 1
#include <pthread.h>
#include <stdio.h>

static int x;

static void *work(void *argument) {
    x++;
    return argument;
}

int main(int argc, char **argv) {
    if (argc < 2) {
        fprintf(stderr, "usage: %s N\n", "program");
        return 1;
    }
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) pthread_create(&threads[i], 0, work, 0);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], 0);
    return 0;
}
