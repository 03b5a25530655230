// what: two readers never disagree about the order of two independent writes
// expect: assert=ok
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;
static int first_x, first_y, second_x, second_y;
static void *write_x(void *unused) {
    x = 1;
    return NULL;
}
static void *write_y(void *unused) {
    y = 1;
    return NULL;
}
static void *read_xy(void *unused) {
    first_x = x;
    first_y = y;
    return NULL;
}

int main(void) {
    pthread_t a, b, c;
    pthread_create(&a, NULL, write_x, NULL);
    pthread_create(&b, NULL, write_y, NULL);
    pthread_create(&c, NULL, read_xy, NULL);
    second_y = y;
    second_x = x;
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    pthread_join(c, NULL);
    assert(!(first_x && !first_y && second_y && !second_x));
    return 0;
}
