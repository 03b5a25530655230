// what: the second mutex is taken before the first is given back
// expect: assert=ok race=ok deadlock=ok
// why: nobody overtakes: two orders
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;
static int x, y;
static void *walk(void *unused) {
    pthread_mutex_lock(&first);
    x++;
    pthread_mutex_lock(&second);
    pthread_mutex_unlock(&first);
    y++;
    pthread_mutex_unlock(&second);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, walk, NULL);
    pthread_create(&b, NULL, walk, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(x == 2 && y == 2);
    return 0;
}
