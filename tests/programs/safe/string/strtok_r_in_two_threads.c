// what: strtok_r keeps its place where each thread says
// expect: assert=ok
#include <assert.h>
#include <pthread.h>
#include <string.h>

static void *split(void *text) {
    char *place, *first = strtok_r(text, " ", &place), *second = strtok_r(NULL, " ", &place);
    assert(strcmp(first, "ab") == 0 && strcmp(second, "c") == 0);
    return NULL;
}

int main(void) {
    pthread_t thread;
    char a[] = "ab c", b[] = "ab c";
    pthread_create(&thread, NULL, split, a);
    split(b);
    pthread_join(thread, NULL);
    return 0;
}
