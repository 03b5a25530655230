// what: a child joins main, which ended the process: the join never returns, and nothing is owed
// expect: assert=ok
#include <assert.h>
#include <pthread.h>

static pthread_t main_thread;
static void *child(void *unused) {
    pthread_join(main_thread, NULL);
    assert(0);
    return NULL;
}

int main(void) {
    pthread_t thread;
    main_thread = pthread_self();
    pthread_create(&thread, NULL, child, NULL);
    return 0;
}
