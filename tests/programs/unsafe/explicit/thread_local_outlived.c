// what: main follows a pointer to a thread-local variable of a thread that has ended
// expect: memsafety=violated
// why: the variable dies with its thread, and main reads after the join
#include <pthread.h>

static _Thread_local int mine;
static int *seen;
static void *thread(void *unused) {
    mine = 3;
    seen = &mine;
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, thread, NULL);
    pthread_join(t, NULL);
    return *seen; //~ MEMSAFETY
}
