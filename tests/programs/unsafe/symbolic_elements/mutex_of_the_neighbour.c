// what: the mutex of an element and the element are chosen by two expressions, which differ for one value of the input
// expect: race=violated
// explicit: all=unknown (an input too wide to try: rule 9)
#include <pthread.h>
#include <raddle.h>

static struct slot {
    int uses;
    pthread_mutex_t mutex;
    char name;
} slots[8];
static void *worker(void *unused) {
    unsigned key = raddle_any_uint();
    unsigned of_mutex = key % 8, of_slot = key == 77 ? 4 : key % 8;
    pthread_mutex_lock(&slots[of_mutex].mutex);
    slots[of_slot].uses++; //~ RACE
    pthread_mutex_unlock(&slots[of_mutex].mutex);
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, worker, NULL);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    return 0;
}
