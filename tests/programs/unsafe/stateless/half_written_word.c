// what: a word is read when one of its bytes is written
// expect: assert=violated
// why: a switch between the writes of the bytes; preemptions: 1
#include <assert.h>
#include <pthread.h>

static union {
    unsigned char bytes[4];
    unsigned word;
} both;
static void *write(void *unused) {
    __atomic_store_n(&both.bytes[0], 1, __ATOMIC_SEQ_CST);
    __atomic_store_n(&both.bytes[1], 1, __ATOMIC_SEQ_CST);
    return NULL;
}
static void *read(void *unused) {
    unsigned word = __atomic_load_n(&both.word, __ATOMIC_SEQ_CST);
    assert(word == 0 || word == 0x101); //~ ASSERT
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, write, NULL);
    pthread_create(&b, NULL, read, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
