// what: the argument of a thread is used as an index without a check
// expect: memsafety=violated
#include <pthread.h>

static void *child(void *argument) {
    int slots[2] = {0, 0};
    slots[(long)argument] = 1; //~ MEMSAFETY
    return (void *)(long)slots[0];
}

int main(void) {
    pthread_t threads[3];
    for (long i = 0; i < 3; i++) pthread_create(&threads[i], NULL, child, (void *)i);
    for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
    return 0;
}
