// what: localtime_r, asctime_r and ctime_r write only to what they are given
// expect: assert=ok race=ok
// options: --property assert --property race
// proved: explicit
// says: the time zone is UTC
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <time.h>

static void *year(void *when) {
    struct tm parts;
    char text[26];
    assert(localtime_r(when, &parts) == &parts);
    assert(asctime_r(&parts, text) == text && text[24] == '\n' && text[25] == 0);
    assert(ctime_r(when, text) == text && text[24] == '\n');
    return NULL;
}

int main(void) {
    pthread_t thread;
    time_t early = 0, late = 1000000000;
    pthread_create(&thread, NULL, year, &early);
    year(&late);
    pthread_join(thread, NULL);
    return 0;
}
