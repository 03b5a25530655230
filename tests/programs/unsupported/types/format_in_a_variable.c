// what: a format that is no constant writes through an argument
// expect: assert=unknown race=unknown deadlock=unknown memsafety=unknown overflow=unknown locks=unknown
#include <pthread.h>
#include <stdio.h>
static char format[] = "%n";
static int x;
static void *run(void *p) {
    printf(format, &x); //~ UNSUPPORTED
    return 0;
}
int main(void) {
    pthread_t a;
    pthread_create(&a, 0, run, 0);
    int now = x;
    pthread_join(a, 0);
    return now;
}
