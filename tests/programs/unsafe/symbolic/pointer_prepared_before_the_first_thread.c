// what: a pointer that depends on an input is stored before the first thread is created and changed after it
// expect: assert=violated
// explicit: all=unknown (32 bits of input)
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
int __VERIFIER_nondet_int(void);
static int cells[3] = {10, 20, 30};
static int *_Atomic place;
static atomic_int seen;
static void *look(void *unused) {
    int *found = place;
    seen = *found;
    return unused;
}
int main(void) {
    place = __VERIFIER_nondet_int() > 1000 ? &cells[0] : &cells[1];
    pthread_t thread;
    pthread_create(&thread, 0, look, 0);
    place = &cells[2];
    pthread_join(thread, 0);
    assert(seen != 10); //~ ASSERT
}
