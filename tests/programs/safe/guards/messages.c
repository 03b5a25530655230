// what: threads hang messages of their own into the boxes of the others
// expect: assert=ok
// engines: explicit
// proved: explicit
// why: a message is private until it is in the box, under the lock of the box
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#define N 2

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
