// what: a function leaves its frame at once if nobody has asked it to stay
// expect: memsafety=violated
// why: q leaves before p looks, and r writes later: the step that reads `stay` ends `local` only then; preemptions: 1
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

static atomic_int stay;
static int *_Atomic shared;
static sem_t published, go_on, write;
static pthread_t a, b, c;

static void *p(void *unused) {
    sem_wait(&published);
    int *mine = shared;
    sem_post(&go_on);
    sem_post(&write);
    int value = *mine; //~ MEMSAFETY
    return NULL;
}
static void *r(void *unused) {
    sem_wait(&write);
    stay = 1;
    return NULL;
}
static void waits_or_leaves(void) {
    int local = 5;
    shared = &local;
    sem_post(&published);
    sem_wait(&go_on);
    if (!stay) return;
    pthread_join(a, NULL);
}
static void *q(void *unused) {
    waits_or_leaves();
    return NULL;
}

int main(void) {
    sem_init(&published, 0, 0);
    sem_init(&go_on, 0, 0);
    sem_init(&write, 0, 0);
    pthread_create(&a, NULL, p, NULL);
    pthread_create(&b, NULL, r, NULL);
    pthread_create(&c, NULL, q, NULL);
    pthread_exit(NULL);
}
