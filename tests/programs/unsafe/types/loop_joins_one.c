// what: one of the threads of a loop is joined before the result is read
// expect: race=violated
#include <pthread.h>
enum { N = 3 };
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x;
static void *run(void *p) {
    pthread_mutex_lock(&m);
    x++; //~ RACE
    pthread_mutex_unlock(&m);
    return 0;
}
int main(void) {
    pthread_t t[N];
    for (int i = 0; i < N; i++) pthread_create(&t[i], 0, run, 0);
    for (int i = 0; i < 1; i++) pthread_join(t[i], 0);
    return x;
}
