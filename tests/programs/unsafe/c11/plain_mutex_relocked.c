// what: a plain mtx_t is locked twice by one thread
// expect: locks=violated deadlock=violated
#include <threads.h>

int main(void) {
    mtx_t mutex;
    mtx_init(&mutex, mtx_plain);
    mtx_lock(&mutex);
    mtx_lock(&mutex); //~ LOCKS //~ DEADLOCK
    return 0;
}
