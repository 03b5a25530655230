// what: a mutex of a futex with the states free, held, and held with waiters
// expect: assert=ok deadlock=ok
// options: --property assert --property deadlock --property memsafety
// proved: explicit
// why: a thread that goes to sleep has set the word to 2, and who finds 2 wakes one; a spurious wake-up only tries again
#define _GNU_SOURCE
#include <assert.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int word; /* 0 free, 1 held, 2 held and awaited */
static int count;

static void lock(void) {
    int expected = 0;
    if (atomic_compare_exchange_strong(&word, &expected, 1)) return;
    while (atomic_exchange(&word, 2) != 0) syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 2, NULL, NULL, 0);
}

static void unlock(void) {
    if (atomic_exchange(&word, 0) == 2) syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

static void *work(void *unused) {
    lock();
    count++;
    unlock();
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    work(NULL);
    pthread_join(thread, NULL);
    assert(count == 2);
    return 0;
}
