// what: tss_t with a destructor, call_once, recursive mtx_t
// expect: assert=ok
// explicit: race=bounded (the operation tells of another thread and orders nothing: rule 6)
#include <assert.h>
#include <stdlib.h>
#include <threads.h>

static tss_t key;
static once_flag once = ONCE_FLAG_INIT;
static int destroyed;
static mtx_t mutex;
static void destroy(void *value) {
    mtx_lock(&mutex);
    mtx_lock(&mutex);
    destroyed += *(int *)value;
    mtx_unlock(&mutex);
    mtx_unlock(&mutex);
    free(value);
}
static void prepare(void) {
    tss_create(&key, destroy);
    mtx_init(&mutex, mtx_plain | mtx_recursive);
}
static int child(void *unused) {
    call_once(&once, prepare);
    int *value = malloc(sizeof *value);
    *value = 2;
    tss_set(key, value);
    assert(tss_get(key) == value);
    return 0;
}

int main(void) {
    thrd_t a, b;
    thrd_create(&a, child, NULL);
    thrd_create(&b, child, NULL);
    thrd_join(a, NULL);
    thrd_join(b, NULL);
    assert(destroyed == 4);
    return 0;
}
