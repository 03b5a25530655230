// what: a conversion reads the text that it names by its position
// expect: assert=unknown race=unknown deadlock=unknown memsafety=unknown overflow=unknown locks=unknown
#include <pthread.h>
#include <stdio.h>
static char text[4] = "abc";
static void *run(void *p) {
    printf("%1$s", text); //~ UNSUPPORTED
    return 0;
}
int main(void) {
    pthread_t a;
    pthread_create(&a, 0, run, 0);
    text[0] = 'x';
    pthread_join(a, 0);
    return 0;
}
