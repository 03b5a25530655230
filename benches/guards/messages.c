// Each thread fills messages of its own, in heap blocks, and hangs them into the box of its neighbour, under the lock in the box.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#ifndef N
#define N 3
#endif

struct message {
    struct message *next;
    int from, to;
};

struct box {
    pthread_mutex_t lock;
    struct message *first;
    int count;
};

static struct box *boxes[N];

static void *send(void *argument) {
    int from = (int)(long)argument;
    for (int i = 1; i < N; i++) {
        struct message *message = malloc(sizeof *message);
        message->from = from;
        message->to = (from + i) % N;
        struct box *box = boxes[message->to];
        pthread_mutex_lock(&box->lock);
        message->next = box->first;
        box->first = message;
        box->count++;
        pthread_mutex_unlock(&box->lock);
    }
    return NULL;
}

int main(void) {
    pthread_t threads[N];
    for (int i = 0; i < N; i++) {
        boxes[i] = malloc(sizeof *boxes[i]);
        pthread_mutex_init(&boxes[i]->lock, NULL);
        boxes[i]->first = NULL;
        boxes[i]->count = 0;
    }
    for (long i = 0; i < N; i++) pthread_create(&threads[i], NULL, send, (void *)i);
    for (int i = 0; i < N; i++) pthread_join(threads[i], NULL);
    for (int i = 0; i < N; i++) assert(boxes[i]->count == N - 1 && boxes[i]->first->to == i);
    return 0;
}
