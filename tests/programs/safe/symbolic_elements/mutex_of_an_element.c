// what: each element of an array has a mutex; an input of 32 bits chooses the element
// expect: assert=ok race=ok deadlock=ok locks=ok
// proved: order
// explicit: all=unknown (an input too wide to try: rule 9)
#include <assert.h>
#include <pthread.h>
#include <raddle.h>

static struct slot {
    int uses;
    pthread_mutex_t mutex;
    char name;
} slots[8];
static void *worker(void *unused) {
    struct slot *slot = &slots[raddle_any_uint() % 8];
    pthread_mutex_lock(&slot->mutex);
    slot->uses++;
    pthread_mutex_unlock(&slot->mutex);
    return NULL;
}

int main(void) {
    pthread_t threads[4];
    for (int i = 0; i < 8; i++) pthread_mutex_init(&slots[i].mutex, NULL);
    for (int i = 0; i < 4; i++) pthread_create(&threads[i], NULL, worker, NULL);
    for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);
    int sum = 0;
    for (int i = 0; i < 8; i++) sum += slots[i].uses;
    assert(sum == 4);
    return 0;
}
