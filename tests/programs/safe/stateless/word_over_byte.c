// what: a word is stored over a byte
// expect: assert=ok race=ok deadlock=ok
// why: two classes
#include <assert.h>
#include <pthread.h>

static union {
    unsigned char bytes[4];
    unsigned word;
} both;
static void *part(void *unused) {
    __atomic_store_n(&both.bytes[3], 7, __ATOMIC_SEQ_CST);
    return NULL;
}
static void *whole(void *unused) {
    __atomic_store_n(&both.word, 0, __ATOMIC_SEQ_CST);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, part, NULL);
    pthread_create(&b, NULL, whole, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(both.bytes[0] == 0);
    assert(both.bytes[3] == 7 || both.bytes[3] == 0);
    return 0;
}
