// what: the library reads under the lock
// expect: race=ok
// proved: types
#include <pthread.h>
#include <string.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static char text[4] = "abc";
static void *run(void *p) {
    char own[4];
    pthread_mutex_lock(&m);
    memcpy(own, text, 4);
    pthread_mutex_unlock(&m);
    return (void *)(long)own[0];
}
int main(void) {
    pthread_t a;
    pthread_create(&a, 0, run, 0);
    pthread_mutex_lock(&m);
    text[0] = 1;
    pthread_mutex_unlock(&m);
    pthread_join(a, 0);
    return 0;
}
