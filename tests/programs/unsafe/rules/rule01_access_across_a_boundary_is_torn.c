// what: an access of 8 bytes that crosses an 8-byte boundary goes in two words: another thread sees one of them
// expect: assert=violated race=violated
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

struct __attribute__((packed)) record { char tag[4]; uint64_t value; };
static _Alignas(8) struct record shared;

static void *writer(void *argument) {
    shared.value = UINT64_MAX; //~ RACE
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, writer, NULL);
    uint64_t seen = shared.value; //~ RACE
    assert(seen == 0 || seen == UINT64_MAX); //~ ASSERT
    pthread_join(thread, NULL);
    return 0;
}
