// what: ctime has one text for all threads
// expect: race=violated
// options: --property race
#include <pthread.h>
#include <time.h>

static void *text(void *when) {
    return ctime(when); //~ RACE
}

int main(void) {
    pthread_t thread;
    time_t early = 0, late = 1000000000;
    pthread_create(&thread, NULL, text, &early);
    text(&late);
    pthread_join(thread, NULL);
    return 0;
}
