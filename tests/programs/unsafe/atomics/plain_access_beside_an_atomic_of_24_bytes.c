// what: a plain write into a 24-byte object that another thread exchanges atomically is a race
// expect: race=violated
#include <pthread.h>
#include <stdatomic.h>

struct triple { long long a, b, c; };
static _Atomic struct triple shared;

static void *writer(void *unused) {
    struct triple p = {1, 1, 1};
    atomic_exchange(&shared, p); //~ RACE
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, writer, NULL);
    ((struct triple *)&shared)->c = 7; //~ RACE
    pthread_join(thread, NULL);
    return 0;
}
