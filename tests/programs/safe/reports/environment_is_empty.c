// what: the environment, the number of the process and complete writes are fixed by models, and said
// expect: assert=ok race=ok
// says: the environment is empty
// says: getpid() returns 1000
// says: write to a descriptor is never short
// says: every thread runs on processor 0
// silent: output never fails
// silent: memory is sequentially consistent
// why: results of write, getenv, getpid and sched_getcpu are used; that of printf is not
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static int x;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *argument) {
    pthread_mutex_lock(&m);
    x++;
    pthread_mutex_unlock(&m);
    return argument;
}

int main(void) {
    pthread_t thread;
    printf("begin\n");
    if (getenv("BROKEN")) assert(0);
    if (getpid() == 1) assert(0);
    if (sched_getcpu() == 1) assert(0);
    pthread_create(&thread, 0, work, 0);
    pthread_join(thread, 0);
    assert(write(1, "x", 1) == 1);
    return 0;
}
