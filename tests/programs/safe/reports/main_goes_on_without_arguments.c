// what: the twin of main_leaves_without_arguments: main looks at its arguments and does its work without them
// expect: assert=ok race=ok
// says: main is called with argc = 1
// silent: were never entered
// silent: no thread was created
// why: argc only chooses how much is done
#include <pthread.h>

static int x;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *argument) {
    pthread_mutex_lock(&m);
    x++;
    pthread_mutex_unlock(&m);
    return argument;
}

int main(int argc, char **argv) {
    pthread_t threads[2];
    int count = argc < 2 ? 2 : 1;
    for (int i = 0; i < count; i++) pthread_create(&threads[i], 0, work, 0);
    for (int i = 0; i < count; i++) pthread_join(threads[i], 0);
    return 0;
}
