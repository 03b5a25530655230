// what: each thread has a local of main
// expect: race=ok
// proved: types
#include <pthread.h>
static void *run(void *p) {
    int *mine = p;
    ++*mine;
    return 0;
}
int main(void) {
    pthread_t a, b;
    int first = 0, second = 0;
    pthread_create(&a, 0, run, &first);
    pthread_create(&b, 0, run, &second);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return first + second;
}
