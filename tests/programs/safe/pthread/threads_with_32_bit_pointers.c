// what: threads and mutexes with the layouts of the 32-bit library, without its headers
// expect: assert=ok
// options: --data-model ILP32
typedef unsigned long pthread_t;
typedef union { char size[24]; long align; } pthread_mutex_t;
typedef union { char size[48]; long long align; } pthread_cond_t;
int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
int pthread_join(pthread_t, void **);
int pthread_mutex_lock(pthread_mutex_t *);
int pthread_mutex_unlock(pthread_mutex_t *);
int pthread_cond_wait(pthread_cond_t *, pthread_mutex_t *);
int pthread_cond_signal(pthread_cond_t *);
void __VERIFIER_assert(int condition);

static pthread_mutex_t mutex;
static pthread_cond_t ready;
static int is_ready;
static void *child(void *unused) {
    pthread_mutex_lock(&mutex);
    is_ready = 1;
    pthread_cond_signal(&ready);
    pthread_mutex_unlock(&mutex);
    return (void *)7;
}

int main(void) {
    pthread_t thread;
    void *result;
    pthread_create(&thread, 0, child, 0);
    pthread_mutex_lock(&mutex);
    while (!is_ready) pthread_cond_wait(&ready, &mutex);
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, &result);
    __VERIFIER_assert((long)result == 7);
    return 0;
}
