// what: strtok keeps its place in one variable of the library
// expect: race=violated
#include <pthread.h>
#include <string.h>

static void *split(void *text) {
    strtok(text, " "); //~ RACE
    return NULL;
}

int main(void) {
    pthread_t thread;
    char a[] = "a b", b[] = "c d";
    pthread_create(&thread, NULL, split, a);
    split(b);
    pthread_join(thread, NULL);
    return 0;
}
