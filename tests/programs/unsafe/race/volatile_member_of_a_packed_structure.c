// what: volatile accesses that no processor makes at once stay plain, also where others count as atomic
// expect: race=violated
// options: --volatile-is-atomic=seq_cst
#include <pthread.h>

static struct __attribute__((packed)) {
    char tag;
    volatile int count;
} packed;

static void *child(void *unused) {
    packed.count = 1; //~ RACE
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, child, 0);
    packed.count = 2; //~ RACE
    pthread_join(thread, 0);
    return 0;
}
