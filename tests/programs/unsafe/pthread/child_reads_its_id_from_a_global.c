// what: the child reads the variable into which its creator only now stores its id
// expect: race=violated
#include <pthread.h>

static pthread_t thread;
static void *child(void *unused) {
    pthread_t me = thread; //~ RACE
    return (void *)(me != 0);
}

int main(void) {
    pthread_create(&thread, NULL, child, NULL); //~ RACE
    pthread_join(thread, NULL);
    return 0;
}
