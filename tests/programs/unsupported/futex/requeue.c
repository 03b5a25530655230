// what: moving waiters to another futex is not modelled
// expect: deadlock=unknown
// options: --property deadlock
#define _GNU_SOURCE
#include <assert.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int from, to;

int main(void) {
    syscall(SYS_futex, &from, FUTEX_REQUEUE_PRIVATE, 1, 1, &to, 0); //~ UNSUPPORTED
    return 0;
}
