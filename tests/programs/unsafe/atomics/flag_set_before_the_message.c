// what: the flag goes up before the message is written
// expect: race=violated assert=violated
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static int message;
static atomic_int sent;
static void *sender(void *unused) {
    atomic_store(&sent, 1);
    message = 42; //~ RACE
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, sender, NULL);
    if (atomic_load(&sent)) assert(message == 42); //~ RACE //~ ASSERT
    pthread_join(thread, NULL);
    return 0;
}
