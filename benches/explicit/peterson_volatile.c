/* Peterson's algorithm for two threads that enter for ever, as a library would have it: a lock with a descriptor for
 * each thread, pointers to the flags inside. The flags and the turn are `volatile`; with -DPLAIN they are not, as in
 * the version whose bug Zaks and Joshi found (SPIN 2008, section 2): without optimisation nothing goes wrong, with it
 * the compiler reads the other's flag once and for all, and both threads are inside at once.
 *
 * -DABSTRACT: of the data, only the state of the algorithm is matched. */
#include <assert.h>
#include <pthread.h>

#ifdef PLAIN
#define SHARED
#else
#define SHARED volatile
#endif

struct lock_side {
    SHARED int *mine, *theirs;
    int number;
};

static SHARED int flag0, flag1, turn;
/* How many are inside. Always volatile: it is the observer, not part of the algorithm. */
static volatile int inside;

static void side_init(struct lock_side *side, int number) {
    side->mine = number == 0 ? &flag0 : &flag1;
    side->theirs = number == 0 ? &flag1 : &flag0;
    side->number = number;
}

static void lock(struct lock_side *side) {
    *side->mine = 1;
    turn = 1 - side->number;
    while (*side->theirs && turn != side->number) {
    }
}

static void unlock(struct lock_side *side) { *side->mine = 0; }

static void critical(void) {
    inside++;
    assert(inside == 1);
    inside--;
}

static void *thread0(void *unused) {
    struct lock_side side;
    side_init(&side, 0);
    for (;;) {
        lock(&side);
        critical();
        unlock(&side);
    }
    return NULL;
}

static void *thread1(void *unused) {
    struct lock_side side;
    side_init(&side, 1);
    for (;;) {
        lock(&side);
        critical();
        unlock(&side);
    }
    return NULL;
}

#ifdef ABSTRACT
void raddle_abstract(void *buffer) {
    unsigned char *state = buffer;
    state[0] = (unsigned char)flag0;
    state[1] = (unsigned char)flag1;
    state[2] = (unsigned char)turn;
    state[3] = (unsigned char)inside;
}
#endif

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, thread0, NULL);
    pthread_create(&b, NULL, thread1, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
