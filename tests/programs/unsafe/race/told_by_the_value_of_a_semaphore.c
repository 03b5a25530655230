// what: a thread learns from the value of a semaphore that another one has written before, while a third one calls the library
// expect: race=violated
// why: sem_getvalue orders nothing
#include <pthread.h>
#include <semaphore.h>
#include <string.h>

static sem_t semaphore;
static int data, value;
static char text[4] = "abc";
static size_t length;

static void *reader(void *unused) {
    sem_getvalue(&semaphore, &value);
    if (value) data = 2; //~ RACE
    return unused;
}

static void *third(void *unused) {
    for (int i = 0; i < 3; i++) length += strlen(text);
    return unused;
}

int main(void) {
    pthread_t first, second;
    sem_init(&semaphore, 0, 0);
    pthread_create(&first, NULL, reader, NULL);
    pthread_create(&second, NULL, third, NULL);
    data = 1; //~ RACE
    sem_post(&semaphore);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    return 0;
}
