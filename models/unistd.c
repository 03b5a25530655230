/* Descriptors and the process, as far as a verifier can: 0 is input, 1 and 2 are output.
 *
 * Deviations: 1. reading gives any bytes, as many as it likes, the end, or an error (a choice). 2. Writing to 1 and 2
 * is output of the run and always complete; to other descriptors it is dropped. 3. The process has one number.
 * Reading, writing and closing are cancellation points.
 */
#include "model.h"

/* write: output on descriptors 1 and 2; dropped on others; a cancellation point */
RADDLE_ORDERED("always")
long write(int descriptor, const void *bytes, size_t size) {
    __raddle_fixed("write to a descriptor is never short and never fails");
    raddle_cancellation_point();
    if (descriptor < 0) {
        raddle_errno = EBADF;
        return -1;
    }
    if (descriptor == 1 || descriptor == 2) __raddle_output(descriptor, (const char *)bytes, size);
    return (long)size;
}

/* read: any bytes, the end or an error (a choice); a cancellation point */
RADDLE_ORDERED("always")
long read(int descriptor, void *bytes, size_t size) {
    raddle_cancellation_point();
    if (descriptor < 0) {
        raddle_errno = EBADF;
        return -1;
    }
    unsigned long long count = __raddle_choose((unsigned long long)size + 2);
    if (count == (unsigned long long)size + 1) {
        raddle_errno = EIO;
        return -1;
    }
    for (size_t i = 0; i < count; i++) ((unsigned char *)bytes)[i] = (unsigned char)__raddle_any(8);
    return (long)count;
}

/* close: always succeeds */
RADDLE_ORDERED("always")
int close(int descriptor) {
    __raddle_fixed("close never fails");
    raddle_cancellation_point();
    if (descriptor < 0) {
        raddle_errno = EBADF;
        return -1;
    }
    return 0;
}

/* getpid: one fixed number */
int getpid(void) {
    __raddle_fixed("getpid() returns 1000");
    return 1000;
}

/* getppid: one fixed number */
int getppid(void) {
    __raddle_fixed("getppid() returns 1");
    return 1;
}

/* gettid: the thread's number; main's is the process's */
int gettid(void) {
    __raddle_fixed("gettid() returns numbers from 1000 on");
    return 999 + __raddle_self();
}

/* isatty: never a terminal */
int isatty(int descriptor) {
    __raddle_fixed("no descriptor is a terminal (isatty)");
    raddle_errno = 25;
    return 0;
}

/* getpagesize: 4096 */
int getpagesize(void) {
    __raddle_fixed("the page size is 4096 bytes");
    return 4096;
}

/* sysconf: the size of a page and any number of processors up to 64; others are unsupported */
long sysconf(int name) {
    if (name == 30) {
        __raddle_fixed("the page size is 4096 bytes");
        return 4096;
    }
    if (name == 83 || name == 84) {
        __raddle_fixed("there are at most 64 processors (sysconf)");
        return 1 + (long)__raddle_choose(64);
    }
    __raddle_unsupported("sysconf: this value");
}
