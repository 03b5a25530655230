// A heap block with its lock, given to threads.
#include <pthread.h>
#include <stdlib.h>

typedef struct {
    pthread_mutex_t mutex;
    int hits;
    int misses;
} statistics;

static void note(statistics *s, int hit) {
    pthread_mutex_lock(&s->mutex);
    if (hit)
        s->hits++;
    else
        s->misses++;
    pthread_mutex_unlock(&s->mutex);
}

static void *work(void *argument) {
    statistics *s = argument;
    for (int i = 0; i < 4; i++)
        note(s, i & 1);
    return 0;
}

int main(void) {
    pthread_t a, b;
    statistics *s = calloc(1, sizeof *s);
    if (!s)
        return 1;
    pthread_mutex_init(&s->mutex, 0);
    pthread_create(&a, 0, work, s);
    pthread_create(&b, 0, work, s);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
