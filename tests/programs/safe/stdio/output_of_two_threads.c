// what: two threads print; nothing is owed about the order
// expect: assert=ok
#include <pthread.h>
#include <stdio.h>

static void *child(void *name) {
    printf("%s\n", (const char *)name);
    fprintf(stderr, "%d\n", 1);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, child, "child");
    puts("main");
    pthread_join(thread, NULL);
    fflush(stdout);
    return 0;
}
