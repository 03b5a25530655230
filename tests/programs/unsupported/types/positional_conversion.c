// what: a conversion writes through the argument that it names by its position
// expect: assert=unknown race=unknown deadlock=unknown memsafety=unknown overflow=unknown locks=unknown
#include <pthread.h>
#include <stdio.h>
static int x;
static void *run(void *p) {
    printf("%2$d%1$n", &x, 3); //~ UNSUPPORTED
    return 0;
}
int main(void) {
    pthread_t a;
    pthread_create(&a, 0, run, 0);
    int now = x;
    pthread_join(a, 0);
    return now;
}
