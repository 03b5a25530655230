// what: a mutex of a futex that wakes no waiter: the unlock is not told that a thread sleeps
// expect: deadlock=violated
// options: --property deadlock
// why: the sleeping thread has left no mark in the word, so that the unlock takes the short way
#define _GNU_SOURCE
#include <assert.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int word, sleepers; /* the word: 0 free, 1 held */

static void lock(void) {
    while (atomic_exchange(&word, 1) != 0) {
        syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 1, NULL, NULL, 0); //~ DEADLOCK
        atomic_fetch_add(&sleepers, 1); /* too late */
    }
}

static void unlock(void) {
    atomic_store(&word, 0);
    if (atomic_load(&sleepers) > 0) syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

static void *work(void *unused) {
    lock();
    unlock();
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    work(NULL);
    pthread_join(thread, NULL); //~ DEADLOCK
    return 0;
}
