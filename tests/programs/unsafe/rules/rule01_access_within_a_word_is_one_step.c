// what: an unaligned access within an 8-byte word is one step; across a boundary, the thread itself sees the whole
// expect: assert=ok race=violated
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

struct __attribute__((packed)) record { char tag[3]; uint32_t value; char more[7]; uint64_t wide; int *pointer; };
static _Alignas(8) struct record shared;
static int target = 5;

static void *writer(void *argument) {
    shared.value = UINT32_MAX; //~ RACE
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, writer, NULL);
    uint32_t seen = shared.value; //~ RACE
    assert(seen == 0 || seen == UINT32_MAX);
    shared.wide = 0x0123456789abcdef;
    shared.pointer = &target;
    assert(shared.wide == 0x0123456789abcdef && *shared.pointer == 5);
    pthread_join(thread, NULL);
    return 0;
}
