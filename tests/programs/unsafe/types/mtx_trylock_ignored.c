// what: the result of a try is ignored
// expect: race=violated locks=violated
#include <threads.h>
static mtx_t m;
static int x;
static int run(void *p) {
    mtx_trylock(&m);
    x++; //~ RACE
    mtx_unlock(&m); //~ LOCKS
    return 0;
}
int main(void) {
    thrd_t a, b;
    mtx_init(&m, mtx_plain);
    thrd_create(&a, run, 0);
    thrd_create(&b, run, 0);
    thrd_join(a, 0);
    thrd_join(b, 0);
    return 0;
}
