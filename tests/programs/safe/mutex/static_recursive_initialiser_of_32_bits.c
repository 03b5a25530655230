// what: the kind of a 32-bit mutex lies at byte 12
// expect: assert=ok
// options: --data-model ILP32
typedef union { struct { int lock; unsigned count; int owner, kind, users; void *next; } data; char size[24]; } pthread_mutex_t;
int pthread_mutex_lock(pthread_mutex_t *);
int pthread_mutex_unlock(pthread_mutex_t *);
void __VERIFIER_assert(int condition);

static pthread_mutex_t recursive = {{0, 0, 0, 1, 0, 0}};

int main(void) {
    __VERIFIER_assert(pthread_mutex_lock(&recursive) == 0 && pthread_mutex_lock(&recursive) == 0);
    __VERIFIER_assert(pthread_mutex_unlock(&recursive) == 0 && pthread_mutex_unlock(&recursive) == 0);
    __VERIFIER_assert(pthread_mutex_unlock(&recursive) == 1);
    return 0;
}
