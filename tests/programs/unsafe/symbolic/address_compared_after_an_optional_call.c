// what: a local variable is compared with a number, its address if no other function was called before
// expect: assert=violated
#include <assert.h>
#include <pthread.h>
#include <raddle.h>

static void set(int *p) { *p = 1; }

static void earlier(void) {
    int other;
    set(&other);
}

static void look(void) {
    int own;
    set(&own);
    assert(&own != (int *)0x2000000c000000); //~ ASSERT
}

static void *second(void *unused) {
    if (raddle_any_bool()) earlier();
    look();
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, second, NULL);
    pthread_join(thread, NULL);
    return 0;
}
