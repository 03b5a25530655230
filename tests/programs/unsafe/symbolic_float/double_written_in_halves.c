// what: a double is written in two halves by atomic stores: the reader may see a mixture
// expect: assert=violated
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

static atomic_uint halves[2] = {0, 0x3ff00000};
static void *mover(void *unused) {
    double target = 1.7;
    unsigned words[2];
    memcpy(words, &target, sizeof words);
    halves[0] = words[0];
    halves[1] = words[1];
    return NULL;
}

int main(void) {
    pthread_t thread;
    double seen;
    pthread_create(&thread, NULL, mover, NULL);
    unsigned words[2] = {halves[0], halves[1]};
    memcpy(&seen, words, sizeof seen);
    assert(seen == 1.0 || seen == 1.7); //~ ASSERT
    pthread_join(thread, NULL);
    return 0;
}
