// what: waiting for a flag with a futex: the kernel compares the word before the thread sleeps
// expect: assert=ok deadlock=ok
// options: --property assert --property deadlock --property memsafety
// proved: explicit
// why: a flag that was set before the wait gives EAGAIN, one that is set after it a wake-up
#define _GNU_SOURCE
#include <errno.h>
#include <assert.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int flag;
static int message;

static void *waiter(void *unused) {
    while (atomic_load(&flag) == 0) {
        long result = syscall(SYS_futex, &flag, FUTEX_WAIT, 0, NULL, NULL, 0);
        assert(result == 0 || (result == -1 && (errno == EAGAIN || errno == EINTR)));
    }
    assert(message == 5);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, waiter, NULL);
    message = 5;
    atomic_store(&flag, 1);
    long woken = syscall(SYS_futex, &flag, FUTEX_WAKE, 1, NULL, NULL, 0);
    assert(woken == 0 || woken == 1);
    pthread_join(thread, NULL);
    return 0;
}
