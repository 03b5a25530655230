// what: most threads lock the right mutex, one locks another
// expect: race=violated assert=violated
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t right = PTHREAD_MUTEX_INITIALIZER, wrong = PTHREAD_MUTEX_INITIALIZER;
static int data;
static void *careful(void *unused) {
    pthread_mutex_lock(&right);
    int seen = data; //~ RACE
    data++; //~ RACE
    assert(data == seen + 1); //~ ASSERT //~ RACE
    pthread_mutex_unlock(&right);
    return NULL;
}
static void *careless(void *unused) {
    pthread_mutex_lock(&wrong);
    data++; //~ RACE
    pthread_mutex_unlock(&wrong);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, careful, NULL);
    pthread_create(&b, NULL, careless, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
