// Blocks are filled, published by a pointer under a lock, and read and changed by the thread that takes them.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#ifndef N
#define N 2
#endif

struct message {
    int words[3];
};

struct slot {
    pthread_mutex_t lock;
    struct message *message;
};

static struct slot *slots[N];

static void *writer(void *argument) {
    struct slot *slot = slots[(long)argument];
    struct message *message = malloc(sizeof *message);
    for (int i = 0; i < 3; i++) message->words[i] = i;
    pthread_mutex_lock(&slot->lock);
    slot->message = message;
    pthread_mutex_unlock(&slot->lock);
    return NULL;
}

static void *reader(void *argument) {
    struct slot *slot = slots[(long)argument];
    pthread_mutex_lock(&slot->lock);
    struct message *message = slot->message;
    if (message) {
        int sum = 0;
        for (int i = 0; i < 3; i++) sum += message->words[i];
        assert(sum == 3);
        message->words[0]++;
        slot->message = NULL;
    }
    pthread_mutex_unlock(&slot->lock);
    return NULL;
}

int main(void) {
    pthread_t writers[N], readers[N];
    for (int i = 0; i < N; i++) {
        slots[i] = malloc(sizeof *slots[i]);
        pthread_mutex_init(&slots[i]->lock, NULL);
        slots[i]->message = NULL;
    }
    for (long i = 0; i < N; i++) {
        pthread_create(&writers[i], NULL, writer, (void *)i);
        pthread_create(&readers[i], NULL, reader, (void *)i);
    }
    for (int i = 0; i < N; i++) {
        pthread_join(writers[i], NULL);
        pthread_join(readers[i], NULL);
    }
    return 0;
}
