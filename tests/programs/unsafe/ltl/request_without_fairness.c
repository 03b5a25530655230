// what: without fairness the server may never run, and the request waits for ever
// expect: ltl=violated
// engines: explicit
// options: --property "ltl=[] (asked -> <> answered)" --prop "asked=request" --prop "answered=response" --no-fairness
// why: the client polls for ever
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
        while (!response) {} //~ LTL
        request = 0;
        response = 0;
    }
}
