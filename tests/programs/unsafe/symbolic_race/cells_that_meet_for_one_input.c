// what: two threads write cells that inputs choose; the assumption that keeps them apart forgets one bit
// expect: race=violated
// explicit: all=unknown (an input too wide to try: rule 9)
#include <pthread.h>
#include <raddle.h>

static int cells[8];
static unsigned left, right;
static void *child(void *unused) {
    cells[left % 8] = 1; //~ RACE
    return NULL;
}

int main(void) {
    pthread_t thread;
    left = raddle_any_uint();
    right = raddle_any_uint();
    raddle_assume(((left ^ right) & 9) != 0);
    pthread_create(&thread, NULL, child, NULL);
    cells[right % 8] = 2; //~ RACE
    pthread_join(thread, NULL);
    return 0;
}
