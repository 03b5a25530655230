// what: cleanup handlers by the older functions of the library
// expect: assert=ok
#include <assert.h>
#include <pthread.h>

struct cleanup_buffer {
    void (*routine)(void *);
    void *argument;
    int kind;
    struct cleanup_buffer *below;
};
void _pthread_cleanup_push(struct cleanup_buffer *, void (*)(void *), void *);
void _pthread_cleanup_pop(struct cleanup_buffer *, int);

static int order;
static void note(void *digit) { order = order * 10 + (int)(long)digit; }
static void *child(void *unused) {
    struct cleanup_buffer a, b, c;
    _pthread_cleanup_push(&a, note, (void *)1);
    _pthread_cleanup_push(&b, note, (void *)2);
    _pthread_cleanup_push(&c, note, (void *)3);
    _pthread_cleanup_pop(&c, 1);
    pthread_exit(NULL);
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, child, NULL);
    pthread_join(thread, NULL);
    assert(order == 321);
    return 0;
}
