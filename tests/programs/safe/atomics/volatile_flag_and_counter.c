// what: volatile flags that count as sequentially consistent atomics order what is behind them
// expect: assert=ok race=ok
// options: --volatile-is-atomic=seq_cst
// says: volatile loads and stores of the sources are atomic, seq_cst (--volatile-is-atomic)
#include <assert.h>
#include <pthread.h>

struct box {
    char tag;
    volatile long ready;
    double *volatile where;
};
static struct box box;
static double content;

static void *child(void *unused) {
    content = 1.5;
    box.where = &content;
    box.ready = 1;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, child, 0);
    if (box.ready)
        assert(*box.where == 1.5);
    pthread_join(thread, 0);
    return 0;
}
