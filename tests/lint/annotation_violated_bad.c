// what: annotations that the program violates, and such that name no lock
#include <pthread.h>
#include <raddle.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int total RADDLE_GUARDED_BY(m);
static int steps RADDLE_NOT_SHARED;
static int typo RADDLE_GUARDED_BY(mm); //~ LINT annotation-violated

struct account {
    pthread_mutex_t lock;
    int balance RADDLE_GUARDED_BY(lock);
} first = {PTHREAD_MUTEX_INITIALIZER, 0}, second = {PTHREAD_MUTEX_INITIALIZER, 0};

RADDLE_REQUIRES(to->lock)
static void add(struct account *to, int by)
{
    to->balance += by; //~ LINT annotation-violated
}

RADDLE_REQUIRES(to)
static void count(void) //~ LINT annotation-violated
{
    steps++; //~ LINT annotation-violated race-majority-guard
}

static void *client(void *unused)
{
    pthread_mutex_lock(&first.lock);
    add(&first, 1);
    add(&second, 1); //~ LINT annotation-violated
    pthread_mutex_unlock(&first.lock);
    if (total < 5) { //~ LINT annotation-violated race-majority-guard
        pthread_mutex_lock(&m);
        total++;
        typo++;
        pthread_mutex_unlock(&m);
    }
    count();
    return unused;
}

int main(void)
{
    pthread_t a, b;
    total = 1;
    pthread_create(&a, NULL, client, NULL);
    pthread_create(&b, NULL, client, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return total;
}
