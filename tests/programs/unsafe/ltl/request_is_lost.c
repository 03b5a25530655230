// what: the client takes its request back when it gets impatient; then nobody answers it
// expect: ltl=violated
// engines: explicit
// options: --property "ltl=[] (asked -> <> answered)" --prop "asked=request" --prop "answered=response"
// why: the server looks at the request only while it is taken back
#include <pthread.h>
#include <stdatomic.h>

static atomic_int request, response;

static void *server(void *unused) {
    for (;;)
        if (request)
            response = 1;
        else
            response = 0;
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, server, 0);
    for (;;) {
        request = 1; //~ LTL
        request = 0;
    }
}
