// what: a plain write is before the section that sets the flag; the reader tests the flag in a section
// expect: race=ok
#include <pthread.h>
#include <raddle.h>

static int data, flag;
static void *writer(void *unused) {
    data = 1;
    raddle_atomic_begin();
    flag = 1;
    raddle_atomic_end();
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, writer, NULL);
    raddle_atomic_begin();
    int seen = flag;
    raddle_atomic_end();
    if (seen) data++;
    pthread_join(thread, NULL);
    return 0;
}
