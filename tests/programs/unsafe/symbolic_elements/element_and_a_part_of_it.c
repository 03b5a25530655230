// what: a section writes a word by an index and then one byte at a fixed place, which may be part of that word
// expect: assert=violated
#include <assert.h>
#include <pthread.h>
#include <raddle.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
static union {
    unsigned words[2];
    unsigned char bytes[8];
} shared;
static void *worker(void *unused) {
    unsigned index = raddle_any_bool();
    __VERIFIER_atomic_begin();
    shared.words[index] = 0x01020304;
    shared.bytes[1] = 9;
    assert(shared.words[index] == 0x01020304); //~ ASSERT
    __VERIFIER_atomic_end();
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, worker, NULL);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    return 0;
}
