// what: localtime has one result for all threads
// expect: race=violated
// options: --property race
#include <pthread.h>
#include <time.h>

static void *year(void *when) {
    const struct tm *parts = localtime(when); //~ RACE
    return (void *)(long)parts->tm_year; //~ RACE
}

int main(void) {
    pthread_t thread;
    time_t early = 0, late = 1000000000;
    pthread_create(&thread, NULL, year, &early);
    year(&late);
    pthread_join(thread, NULL);
    return 0;
}
