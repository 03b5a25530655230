// what: the word overlaps both bytes
// expect: assert=ok race=ok deadlock=ok
// why: each byte before or after the read: four classes
#include <assert.h>
#include <pthread.h>

static union {
    unsigned char bytes[4];
    unsigned word;
} both;
static void *low(void *unused) {
    __atomic_store_n(&both.bytes[0], 1, __ATOMIC_SEQ_CST);
    return NULL;
}
static void *high(void *unused) {
    __atomic_store_n(&both.bytes[1], 1, __ATOMIC_SEQ_CST);
    return NULL;
}
static void *read(void *unused) {
    unsigned word = __atomic_load_n(&both.word, __ATOMIC_SEQ_CST);
    assert((word & ~0x101u) == 0);
    return NULL;
}

int main(void) {
    pthread_t a, b, c;
    pthread_create(&a, NULL, low, NULL);
    pthread_create(&b, NULL, high, NULL);
    pthread_create(&c, NULL, read, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    pthread_join(c, NULL);
    return 0;
}
