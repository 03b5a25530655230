// what: a shared index is tested and read again, while another thread sets it to any value
// expect: memsafety=violated
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
    if (selected < 4) table[selected].value = 1; //~ MEMSAFETY
    pthread_join(thread, NULL);
    return 0;
}
