// what: a thread reads all words of a semaphore
// expect: race=violated
// why: what the bytes tell comes without an edge of happens-before
#include <pthread.h>
#include <semaphore.h>

static sem_t semaphore;
static int data;

static void *reader(void *unused) {
    int *words = (int *)&semaphore;
    for (int i = 0; i < 8; i++)
        if (((volatile int *)words)[i]) { data = 2; break; } //~ RACE
    return unused;
}

int main(void) {
    pthread_t thread;
    sem_init(&semaphore, 0, 0);
    pthread_create(&thread, NULL, reader, NULL);
    data = 1; //~ RACE
    sem_post(&semaphore);
    pthread_join(thread, NULL);
    return 0;
}
