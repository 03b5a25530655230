// what: two threads take locks with other indices than the data
// expect: race=violated
#include <pthread.h>
static pthread_mutex_t locks[2];
static int data[2];
static int at;
static void *run(void *p) {
    int i = (int)(long)p;
    pthread_mutex_lock(&locks[__extension__({ int k; pthread_t s = pthread_self(); k = (int)(s & 1); k; })]);
    data[i]++; //~ RACE
    pthread_mutex_unlock(&locks[__extension__({ int k; pthread_t s = pthread_self(); k = (int)(s & 1); k; })]);
    return 0;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, run, (void *)1);
    pthread_create(&b, 0, run, (void *)1);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
