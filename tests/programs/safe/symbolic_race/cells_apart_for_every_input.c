// what: two threads write cells that inputs choose, and that differ in their lowest bit
// expect: race=ok
// explicit: all=unknown (an input too wide to try: rule 9)
#include <pthread.h>
#include <raddle.h>

static int cells[8];
static unsigned left, right;
static void *child(void *unused) {
    cells[left % 8] = 1;
    return NULL;
}

int main(void) {
    pthread_t thread;
    left = raddle_any_uint();
    right = raddle_any_uint();
    raddle_assume(((left ^ right) & 1) == 1);
    pthread_create(&thread, NULL, child, NULL);
    cells[right % 8] = 2;
    pthread_join(thread, NULL);
    return 0;
}
