// what: a wait until a time, for a word that does not change, ends
// expect: assert=ok deadlock=ok
// options: --property assert --property deadlock
// proved: explicit
#define _GNU_SOURCE
#include <errno.h>
#include <time.h>
#include <assert.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int word = 3;

int main(void) {
    struct timespec short_time = {0, 1000}, none = {0, 1000000000};
    long result = syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 3, &short_time, NULL, 0);
    assert(result == 0 || (result == -1 && (errno == ETIMEDOUT || errno == EINTR)));
    assert(syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 4, &short_time, NULL, 0) == -1 && errno == EAGAIN);
    assert(syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 3, &none, NULL, 0) == -1 && errno == EINVAL);
    assert(syscall(SYS_futex, &word, FUTEX_WAIT_BITSET_PRIVATE, 4, NULL, NULL, FUTEX_BITSET_MATCH_ANY) == -1 && errno == EAGAIN);
    assert(syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 4, 0, 0, 0) == -1 && errno == EAGAIN); /* 0 for the null pointer */
    assert(syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0) == 0);
    assert(syscall(SYS_gettid) == gettid() && syscall(SYS_getpid) == getpid());
    return 0;
}
