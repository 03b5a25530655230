// what: a key is used after it was deleted
// expect: locks=violated
#include <pthread.h>

int main(void) {
    pthread_key_t key;
    int value;
    pthread_key_create(&key, NULL);
    pthread_key_delete(key);
    pthread_setspecific(key, &value); //~ LOCKS
    return 0;
}
