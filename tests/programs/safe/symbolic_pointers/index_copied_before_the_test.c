// what: a shared index, which another thread sets to any value, is copied before it is tested and used
// expect: memsafety=ok
// explicit: all=unknown (an input too wide to try: rule 9)
#include <pthread.h>
#include <raddle.h>
#include <stdatomic.h>

static struct entry {
    int key, value;
} table[4];
static atomic_uint selected;
static void *selector(void *unused) {
    selected = raddle_any_uint();
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, selector, NULL);
    unsigned copy = selected;
    if (copy < 4) table[copy].value = 1;
    pthread_join(thread, NULL);
    return 0;
}
