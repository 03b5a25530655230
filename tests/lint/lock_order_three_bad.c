// what: three threads, three locks in a ring, through a helper
#include <pthread.h>

static pthread_mutex_t locks[3];
static int value[3];

static void move(int from, int to)
{
    pthread_mutex_lock(&locks[from]);
    pthread_mutex_lock(&locks[to]); //~ LINT lock-order-cycle
    value[from]--;
    value[to]++;
    pthread_mutex_unlock(&locks[to]);
    pthread_mutex_unlock(&locks[from]);
}

static void *t0(void *unused) { move(0, 1); return unused; }
static void *t1(void *unused) { move(1, 2); return unused; }
static void *t2(void *unused) { move(2, 0); return unused; }

int main(void)
{
    pthread_t a, b, c;
    for (int i = 0; i < 3; i++)
        pthread_mutex_init(&locks[i], NULL);
    pthread_create(&a, NULL, t0, NULL);
    pthread_create(&b, NULL, t1, NULL);
    pthread_create(&c, NULL, t2, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    pthread_join(c, NULL);
    return 0;
}
