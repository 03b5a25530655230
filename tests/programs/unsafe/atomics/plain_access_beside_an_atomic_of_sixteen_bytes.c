// what: a plain read of a part of a 16-byte object that another thread stores atomically is a race
// expect: race=violated
#include <pthread.h>
#include <stdatomic.h>

struct pair { long long a, b; };
static _Atomic struct pair shared;
static long long seen;

static void *writer(void *unused) {
    struct pair p = {1, 1};
    atomic_store(&shared, p); //~ RACE
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, writer, NULL);
    seen = ((struct pair *)&shared)->b; //~ RACE
    pthread_join(thread, NULL);
    return 0;
}
