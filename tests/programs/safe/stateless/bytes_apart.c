// what: two threads write different bytes of one word
// expect: assert=ok race=ok deadlock=ok
// why: one class
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

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, low, NULL);
    pthread_create(&b, NULL, high, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(both.word == 0x101);
    return 0;
}
