// what: the parts of the two threads overlap
// expect: race=violated
#include <pthread.h>
static int data[4];
static void *run(void *p) {
    int *own = p;
    own[0]++;
    own[1]++; //~ RACE
    return 0;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, run, &data[0]);
    pthread_create(&b, 0, run, &data[1]);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
