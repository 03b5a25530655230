// what: the compiler's builtins for a pause, fences and the time stamp of x86
// expect: assert=ok race=ok
// explicit: all=unknown (the time stamp has 2^64 values)
// options: --memory-model sc
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int ready;
static int message;

static void *sender(void *unused) {
    message = 1;
    atomic_store(&ready, 1);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, sender, 0);
    while (!atomic_load(&ready)) __builtin_ia32_pause();
    __builtin_ia32_mfence();
    __builtin_ia32_lfence();
    __builtin_ia32_sfence();
    unsigned long long now = __builtin_ia32_rdtsc();
    assert(message == 1 && (now | 1) != 0);
    pthread_join(thread, 0);
    return 0;
}
