// what: main joins two threads late, behind a lock that both of them take
// expect: assert=ok race=ok deadlock=ok
// why: threads end before main comes to their joins, in any order of the three holders
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void *add(void *unused) {
    pthread_mutex_lock(&lock);
    count++;
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, add, NULL);
    pthread_create(&b, NULL, add, NULL);
    pthread_mutex_lock(&lock);
    count++;
    pthread_mutex_unlock(&lock);
    pthread_join(b, NULL);
    pthread_join(a, NULL);
    assert(count == 3);
    return 0;
}
