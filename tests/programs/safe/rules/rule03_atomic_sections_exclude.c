// what: atomic sections of all spellings exclude each other, nest, and order what they enclose
// expect: assert=ok
#include <assert.h>
#include <pthread.h>
#include <raddle.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
static int x;
static void __VERIFIER_atomic_add(void) { x++; }
static void *child(void *unused) {
    __VERIFIER_atomic_begin();
    raddle_atomic_begin();
    x++;
    raddle_atomic_end();
    x++;
    __VERIFIER_atomic_end();
    __VERIFIER_atomic_add();
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, child, NULL);
    __VERIFIER_atomic_add();
    pthread_join(thread, NULL);
    assert(x == 4);
    return 0;
}
