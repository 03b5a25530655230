// what: a function is registered as invariant when the queue is ready, and a late producer passes its limit
// expect: invariant=violated
// engines: explicit stateless
// options: --property assert
// why: both producers check the room before either of them takes it
#include <pthread.h>
#include <raddle.h>

static int room = -1;

static int room_is_left(void) { return room >= 0; }

static void *producer(void *unused) {
    if (room > 0) {
        raddle_yield();
        raddle_atomic_begin();
        room--;
        raddle_atomic_end(); //~ INVARIANT
    }
    return unused;
}

int main(void) {
    pthread_t one, two;
    room = 1; /* before this, the invariant would not hold */
    raddle_invariant(room_is_left);
    pthread_create(&one, 0, producer, 0);
    pthread_create(&two, 0, producer, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
