// Each thread writes its lines into the heap and appends them to one log, under the lock of the log.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#ifndef N
#define N 3
#endif

struct line {
    struct line *next;
    int thread, number;
};

struct log {
    pthread_mutex_t lock;
    struct line *first, *last;
    int length;
};

static struct log *log_of_all;

static void *work(void *argument) {
    for (int i = 0; i < 2; i++) {
        struct line *line = malloc(sizeof *line);
        line->next = NULL;
        line->thread = (int)(long)argument;
        line->number = i;
        pthread_mutex_lock(&log_of_all->lock);
        if (log_of_all->last)
            log_of_all->last->next = line;
        else
            log_of_all->first = line;
        log_of_all->last = line;
        log_of_all->length++;
        pthread_mutex_unlock(&log_of_all->lock);
    }
    return NULL;
}

int main(void) {
    pthread_t threads[N];
    log_of_all = malloc(sizeof *log_of_all);
    pthread_mutex_init(&log_of_all->lock, NULL);
    log_of_all->first = log_of_all->last = NULL;
    log_of_all->length = 0;
    for (long i = 0; i < N; i++) pthread_create(&threads[i], NULL, work, (void *)i);
    for (int i = 0; i < N; i++) pthread_join(threads[i], NULL);
    int next[N] = {0};
    for (struct line *line = log_of_all->first; line; line = line->next) assert(line->number == next[line->thread]++);
    assert(log_of_all->length == 2 * N);
    return 0;
}
