// what: one thread allocates a text, another fills it; nothing orders them
// expect: memsafety=violated race=violated
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static char *text;
static void *allocates(void *unused) {
    text = malloc(8); //~ RACE
    return NULL;
}
static void *fills(void *unused) {
    strcpy(text, "shot"); //~ RACE //~ MEMSAFETY
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, allocates, NULL);
    pthread_create(&b, NULL, fills, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    free(text);
    return 0;
}
