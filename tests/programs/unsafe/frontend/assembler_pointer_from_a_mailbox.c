// what: a thread takes the address of a local variable out of a mailbox by an exchange in assembler and writes through it
// expect: race=violated
// why: an input with the constraint "1" is in the register of output 1: the output is the pointer that was in the mailbox
#include <pthread.h>

static int *mailbox;

static int *exchange(int **place, int *pointer) {
    int *before;
    __asm__ volatile("xchgq %2, %0" : "+m"(*place), "=r"(before) : "1"(pointer) : "memory");
    return before;
}

static void *worker(void *unused) {
    int *found = exchange(&mailbox, 0);
    if (found) *found = 5; //~ RACE
    return unused;
}

int main(void) {
    int local = 0;
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    exchange(&mailbox, &local);
    local = 1; //~ RACE
    pthread_join(thread, 0);
    return 0;
}
