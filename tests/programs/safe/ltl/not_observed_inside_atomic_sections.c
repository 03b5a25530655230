// what: the two flags are never seen to differ, since they change inside one atomic section
// expect: ltl=ok
// engines: explicit
// proved: explicit
// options: --property "ltl=[] (first <-> second) && []<> first && []<> !first" --prop "first=a" --prop "second=b"
#include <pthread.h>
#include <raddle.h>

static int a, b;

static void *worker(void *unused) {
    for (;;) {
        raddle_atomic_begin();
        a = !a;
        b = !b;
        raddle_atomic_end();
    }
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    for (;;)
        raddle_yield();
}
