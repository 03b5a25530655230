// what: a thread writes into the buffer by which another one jumps
// expect: race=violated memsafety=violated
// explicit: assert=unknown deadlock=unknown overflow=unknown locks=unknown (a memory fault ends runs: rule 10)
#include <pthread.h>
#include <setjmp.h>
#include <string.h>

static jmp_buf buffer;

static void *child(void *argument) {
    ((int *)buffer)[0] = 99; //~ RACE
    return argument;
}

int main(void) {
    pthread_t thread;
    if (setjmp(buffer)) return 0;
    pthread_create(&thread, NULL, child, NULL);
    longjmp(buffer, 1); //~ RACE MEMSAFETY
}
