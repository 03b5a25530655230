/* Before each of the programs of this folder. */
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
int __VERIFIER_nondet_int(void);
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
static int x, y, z;
static atomic_int a, b;
#define LOCK(l) pthread_mutex_lock(&l)
#define UNLOCK(l) pthread_mutex_unlock(&l)
#define THREAD(name, body) static void *name(void *given) { (void)given; body; return 0; }
#define BOTH(t, u) \
    int main(void) { \
        pthread_t i, j; \
        pthread_create(&i, 0, t, 0); \
        pthread_create(&j, 0, u, 0); \
        pthread_join(i, 0); \
        pthread_join(j, 0); \
        return 0; \
    }
