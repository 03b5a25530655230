// what: any steps of 0 to 2, bounded by a check that another thread's steps make stale
// expect: assert=violated
// engines: explicit
// why: both see room for their step and both take it; each access is atomic, so there is no race
#include <assert.h>
#include <pthread.h>
#include <raddle.h>
#include <stdatomic.h>

static atomic_int level;
static void *thread(void *unused) {
    for (;;) {
        int step = (int)raddle_any_in(0, 2);
        if (level + step <= 3) {
            int now = atomic_fetch_add(&level, step) + step;
            assert(now <= 3); //~ ASSERT
        } else {
            level = 0;
        }
    }
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, thread, NULL);
    pthread_create(&b, NULL, thread, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
