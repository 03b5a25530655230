// what: a client asks, a server answers; every request is answered at last if both are scheduled
// expect: ltl=ok
// engines: explicit
// proved: explicit
// options: --property "ltl=[] (asked -> <> answered)" --prop "asked=request" --prop "answered=response"
// why: the server polls, so it is always enabled, and it never misses a request, which stays until it is answered
#include <pthread.h>
#include <stdatomic.h>

static atomic_int request, response;

static void *server(void *unused) {
    for (;;)
        if (request && !response)
            response = 1;
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, server, 0);
    for (;;) {
        request = 1;
        while (!response) {}
        request = 0;
        response = 0;
    }
}
