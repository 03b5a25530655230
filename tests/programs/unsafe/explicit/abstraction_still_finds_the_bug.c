// what: with an abstraction function, a lost update is still found
// expect: assert=violated race=violated
// engines: explicit
// explicit: deadlock=bounded memsafety=bounded overflow=bounded locks=bounded (states that look alike are not all followed)
// why: the function keeps what the assertion reads, so the bad state looks like no other
#include <assert.h>
#include <pthread.h>

static int counter;

void raddle_abstract(void *buffer) { *(int *)buffer = counter; }

static void *child(void *unused) {
    counter++; //~ RACE
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, child, NULL);
    pthread_create(&b, NULL, child, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(counter == 2); //~ ASSERT
    return 0;
}
