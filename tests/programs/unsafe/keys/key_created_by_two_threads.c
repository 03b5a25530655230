// what: both threads see no key and create it: one loses its value
// expect: race=violated assert=violated
#include <assert.h>
#include <pthread.h>

static pthread_key_t key;
static int created;
static void *child(void *argument) {
    if (!created) { //~ RACE
        pthread_key_create(&key, NULL); //~ RACE
        created = 1; //~ RACE
    }
    pthread_setspecific(key, argument); //~ RACE
    assert(pthread_getspecific(key) == argument); //~ RACE //~ ASSERT
    return NULL;
}

int main(void) {
    pthread_t a, b;
    int x, y;
    pthread_create(&a, NULL, child, &x);
    pthread_create(&b, NULL, child, &y);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
