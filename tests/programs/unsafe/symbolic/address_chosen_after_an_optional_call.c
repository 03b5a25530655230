// what: the address of a local variable or a number is converted; how many objects were on the stack before depends on an input
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
    unsigned long number = (unsigned long)raddle_any_uchar() << 40;
    int is_own = raddle_any_bool();
    int *pointer = is_own ? &own : (int *)number;
    if (is_own) assert((unsigned long)pointer >> 32 & ~0x200000ul); //~ ASSERT
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
