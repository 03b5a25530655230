// what: a ticket lock and a latch that only models of the user's explain
// why: the models acquire what they read and release what they write, so no race is missed
// expect: assert=ok race=ok deadlock=ok memsafety=ok overflow=ok locks=ok
// options: --models {folder}/../../../models/own_ticket_lock_and_latch.c
// proved: explicit
#include <assert.h>
#include <pthread.h>

struct ticket_lock { int owner; };
void ticket_lock(struct ticket_lock *lock);
void ticket_unlock(struct ticket_lock *lock);
struct latch { int count; };
void latch_count_down(struct latch *latch);
void latch_wait(struct latch *latch);

static struct ticket_lock lock;
static struct latch ready = { 2 };
static int parts[2], sum;

static void *worker(void *part) {
    *(int *)part = 1;
    ticket_lock(&lock);
    sum++;
    ticket_unlock(&lock);
    latch_count_down(&ready);
    return 0;
}

int main(void) {
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) pthread_create(&threads[i], 0, worker, &parts[i]);
    latch_wait(&ready);
    assert(parts[0] + parts[1] == 2);
    assert(sum == 2);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], 0);
    return 0;
}
