// what: pthread_exit in the middle of an atomic function releases the section on that path too
// expect: race=ok
#include <pthread.h>
#include <raddle.h>

static int x;
void __VERIFIER_atomic_update(int ends) {
    x = 1;
    if (ends) pthread_exit(NULL);
    x = 2;
}
static void *child(void *unused) {
    __VERIFIER_atomic_update(raddle_any_bool());
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, child, NULL);
    raddle_atomic_begin();
    x = 3;
    raddle_atomic_end();
    return 0;
}
