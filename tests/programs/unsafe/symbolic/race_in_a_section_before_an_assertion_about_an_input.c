// what: as race_in_a_section_before_a_failed_assertion, with an assertion about an input of 32 bits
// expect: race=violated assert=violated
// explicit: all=unknown (an input too wide to try: rule 9)
// why: a failed assertion ends the run and cuts nothing from the other rows (rule 10)
#include <assert.h>
#include <pthread.h>
#include <raddle.h>

static int x, n;
static void *child(void *unused) {
    raddle_atomic_begin();
    x = 1; //~ RACE
    assert(n * n != 49); //~ ASSERT
    raddle_atomic_end();
    return NULL;
}

int main(void) {
    pthread_t thread;
    n = raddle_any_int();
    raddle_assume(n == 7 || n == -7);
    pthread_create(&thread, NULL, child, NULL);
    x = 2; //~ RACE
    pthread_join(thread, NULL);
    return 0;
}
