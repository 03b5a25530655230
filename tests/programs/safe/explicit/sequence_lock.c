// what: a reader retries until the sequence number is even and unchanged; a writer changes the pair twice
// expect: assert=ok
// proved: explicit
// why: numbers are never used twice, so an unchanged even one means that nobody wrote in between
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int sequence, one, two;
static void *writer(void *unused) {
    for (int i = 1; i <= 2; i++) {
        sequence = 2 * i - 1;
        one = i;
        two = i;
        sequence = 2 * i;
    }
    return NULL;
}

int main(void) {
    pthread_t thread;
    int before, first, second;
    pthread_create(&thread, NULL, writer, NULL);
    do {
        before = sequence;
        first = one;
        second = two;
    } while (before % 2 || sequence != before);
    assert(first == second);
    pthread_join(thread, NULL);
    return 0;
}
