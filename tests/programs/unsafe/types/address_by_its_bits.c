// what: an address that is put together by tests of its bits
// expect: race=violated
#include <pthread.h>
#include <stdint.h>
#include <string.h>
static int y;
static void *run(void *p) {
    uintptr_t address = (uintptr_t)&y, copy = 0;
    for (int i = 0; i < 64; i++)
        if (address >> i & 1) copy |= (uintptr_t)1 << i;
    int *place;
    memcpy(&place, &copy, sizeof place);
    *place = 1; //~ RACE
    return 0;
}
int main(void) {
    pthread_t a;
    pthread_create(&a, 0, run, 0);
    y = 2; //~ RACE
    pthread_join(a, 0);
    return 0;
}
