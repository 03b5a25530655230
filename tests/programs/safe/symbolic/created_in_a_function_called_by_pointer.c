// what: one of two functions, by input, creates the first thread
// expect: assert=ok
// explicit: all=unknown (32 bits of input)
// proved: order
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
int __VERIFIER_nondet_int(void);
static atomic_int value, seen;
static pthread_t thread;
static void *look(void *unused) {
    seen = value;
    return unused;
}
static void one(void) {
    value = 1;
    pthread_create(&thread, 0, look, 0);
}
static void two(void) {
    value = 2;
    pthread_create(&thread, 0, look, 0);
}
int main(void) {
    int which = __VERIFIER_nondet_int() == 9;
    void (*start)(void) = which ? one : two;
    start();
    atomic_fetch_add(&value, 4);
    pthread_join(thread, 0);
    assert(which ? seen == 1 || seen == 5 : seen == 2 || seen == 6);
}
