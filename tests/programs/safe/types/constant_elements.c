// what: threads work on parts of an array that do not overlap
// expect: race=ok
// proved: types
#include <pthread.h>
static int data[4];
static void *run(void *p) {
    int *own = p;
    own[0]++;
    own[1]++;
    return 0;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, run, &data[0]);
    pthread_create(&b, 0, run, &data[2]);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
