// what: the twin of environment_is_empty: nothing that a model fixes is used, and no assumption about it is printed
// expect: assert=ok race=ok
// silent: environment
// silent: getpid
// silent: write to a descriptor
// silent: output never fails
// silent: argc = 1
// silent: no thread was created
// says: reached: 2 of 2 functions; 1 thread created
// why: argc and argv are not looked at, and results are not used
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static int x;

static void *work(void *argument) {
    x++;
    return argument;
}

int main(int argc, char **argv) {
    pthread_t thread;
    printf("begin\n");
    write(1, "x", 1);
    pthread_create(&thread, 0, work, 0);
    pthread_join(thread, 0);
    assert(x == 1);
    return 0;
}
