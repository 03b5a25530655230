// what: an array of locks with the index of the data
// expect: race=ok
// proved: types
#include <pthread.h>
static pthread_mutex_t locks[2];
static int data[2];
static int at;
static void *run(void *p) {
    int i = (int)(long)p;
    pthread_mutex_lock(&locks[i]);
    data[i]++;
    pthread_mutex_unlock(&locks[i]);
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
