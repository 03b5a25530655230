// what: pthread_exit runs the cleanup handlers; pop with a non-zero argument runs one on the spot
// expect: assert=ok
#include <assert.h>
#include <pthread.h>

static int order;
static void note(void *digit) { order = order * 10 + (int)(long)digit; }
static void inner(void) {
    pthread_cleanup_push(note, (void *)2);
    if (order == 3) pthread_exit((void *)8);
    pthread_cleanup_pop(0);
}
static void *child(void *unused) {
    pthread_cleanup_push(note, (void *)1);
    pthread_cleanup_push(note, (void *)3);
    pthread_cleanup_pop(1);
    inner();
    pthread_cleanup_pop(1);
    return NULL;
}

int main(void) {
    pthread_t thread;
    void *result;
    pthread_create(&thread, NULL, child, NULL);
    pthread_join(thread, &result);
    assert(result == (void *)8 && order == 321);
    return 0;
}
