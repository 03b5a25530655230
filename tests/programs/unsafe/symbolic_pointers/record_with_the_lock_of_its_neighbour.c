// what: the thread takes the mutex of the record that the input named before it was rounded
// expect: race=violated assert=violated
// explicit: all=unknown (an input too wide to try: rule 9)
#include <assert.h>
#include <pthread.h>
#include <raddle.h>

static struct record {
    pthread_mutex_t mutex;
    int uses;
} records[2] = {{PTHREAD_MUTEX_INITIALIZER, 0}, {PTHREAD_MUTEX_INITIALIZER, 0}};
static void use(unsigned name) {
    struct record *record = &records[name / 2 % 2];
    pthread_mutex_t *mutex = &records[name % 2].mutex;
    pthread_mutex_lock(mutex);
    record->uses++; //~ RACE
    pthread_mutex_unlock(mutex);
}
static void *child(void *unused) {
    use(raddle_any_uint());
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, child, NULL);
    use(raddle_any_uint());
    pthread_join(thread, NULL);
    assert(records[0].uses + records[1].uses == 2); //~ ASSERT
    return 0;
}
