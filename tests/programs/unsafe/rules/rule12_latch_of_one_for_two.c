// what: a latch that only a model of the user's explains opens after the first of two threads
// expect: race=violated assert=violated
// options: --models {folder}/../../../models/own_ticket_lock_and_latch.c
#include <assert.h>
#include <pthread.h>

struct latch { int count; };
void latch_count_down(struct latch *latch);
void latch_wait(struct latch *latch);

static struct latch ready = { 1 };
static int parts[2];

static void *worker(void *part) {
    *(int *)part = 1; //~ RACE
    return 0;
}

static void *first(void *part) {
    worker(part);
    latch_count_down(&ready);
    return 0;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], 0, first, &parts[0]);
    pthread_create(&threads[1], 0, worker, &parts[1]);
    latch_wait(&ready);
    assert(parts[0] + parts[1] == 2); //~ ASSERT
    for (int i = 0; i < 2; i++) pthread_join(threads[i], 0);
    return 0;
}
