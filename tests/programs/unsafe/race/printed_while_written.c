// what: one thread prints and formats from a buffer that another writes
// expect: race=violated
#include <pthread.h>
#include <stdio.h>

static char buffer[8] = "abc", copy[8];

static void *child(void *argument) {
    buffer[0] = 'x'; //~ RACE
    snprintf(copy, sizeof copy, "%d", 7); //~ RACE
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, child, NULL);
    printf("%s\n", buffer); //~ RACE
    puts(copy); //~ RACE
    pthread_join(thread, NULL);
    return 0;
}
