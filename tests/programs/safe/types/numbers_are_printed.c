// what: conversions of numbers and addresses follow no pointer
// expect: race=ok
// proved: types
#include <pthread.h>
#include <stdio.h>
static int x;
static void *run(void *p) {
    printf("%d %5.2f %c %p%%\n", 1, 2.0, 'c', (void *)&x);
    return 0;
}
int main(void) {
    pthread_t a;
    pthread_create(&a, 0, run, 0);
    x = 1;
    pthread_join(a, 0);
    return 0;
}
