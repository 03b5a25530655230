// what: each thread has a jump buffer of its own, on its stack
// expect: assert=ok race=ok
// proved: explicit
#include <assert.h>
#include <pthread.h>
#include <setjmp.h>

static void leave(jmp_buf buffer, int how) { longjmp(buffer, how); }

static void *child(void *argument) {
    jmp_buf buffer;
    int how = setjmp(buffer);
    if (how == 0) leave(buffer, 7);
    assert(how == 7);
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, child, NULL);
    child(NULL);
    pthread_join(thread, NULL);
    return 0;
}
