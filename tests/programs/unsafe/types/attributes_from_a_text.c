// what: attributes that a copy of text makes error-checking
// expect: race=violated
#define _GNU_SOURCE
#include <pthread.h>
#include <string.h>
static pthread_mutex_t m;
static int x;
static void *run(void *p) {
    pthread_mutex_lock(&m);
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    x++; //~ RACE
    pthread_mutex_unlock(&m);
    return 0;
}
int main(void) {
    pthread_t a, b;
    pthread_mutexattr_t how;
    pthread_mutexattr_init(&how);
    strcpy((char *)&how, "\2");
    pthread_mutex_init(&m, &how);
    pthread_create(&a, 0, run, 0);
    pthread_create(&b, 0, run, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
