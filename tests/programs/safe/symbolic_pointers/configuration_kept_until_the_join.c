// what: a configuration is replaced; the old one is freed when its reader has been joined
// expect: memsafety=ok race=ok assert=ok
// explicit: all=unknown (an input too wide to try: rule 9)
#include <assert.h>
#include <pthread.h>
#include <raddle.h>
#include <stdatomic.h>
#include <stdlib.h>

struct configuration {
    int low, high;
};
static struct configuration *_Atomic current;
static struct configuration *make(int low) {
    struct configuration *c = malloc(sizeof *c);
    c->low = low;
    c->high = low / 2 + 1;
    return c;
}
static void *reader(void *unused) {
    struct configuration *c = current;
    assert(c->high == c->low / 2 + 1);
    return NULL;
}

int main(void) {
    pthread_t thread;
    current = make(0);
    pthread_create(&thread, NULL, reader, NULL);
    struct configuration *old = current;
    current = make(raddle_any_int());
    pthread_join(thread, NULL);
    free(old);
    return 0;
}
