// what: one thread joins another behind a lock, and main joins the one who waits
// expect: assert=ok race=ok deadlock=ok
// why: the first thread's end comes before or behind the lock of the second; the join only behind the end
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_t first;
static int count;

static void *add(void *unused) {
    pthread_mutex_lock(&lock);
    count++;
    pthread_mutex_unlock(&lock);
    return unused;
}

static void *wait(void *unused) {
    add(NULL);
    pthread_join(first, NULL);
    assert(count == 2);
    return unused;
}

int main(void) {
    pthread_t second;
    pthread_create(&first, NULL, add, NULL);
    pthread_create(&second, NULL, wait, NULL);
    pthread_join(second, NULL);
    assert(count == 2);
    return 0;
}
