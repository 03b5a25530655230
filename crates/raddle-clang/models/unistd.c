/* Descriptors and the process, as far as a verifier can: 0 is input, 1 and 2 are output.
 *
 * Deviations: 1. reading gives any bytes, as many as it likes, the end, or an error (a choice), unless --stdin or --file
 * gives them. 2. Writing to 1 and 2 is output of the run and always complete; to other descriptors it is dropped. 3. The
 * process has one number. Reading, writing and closing are cancellation points.
 */
#include "files.h"

/* write: output on descriptors 1 and 2; dropped on others; a cancellation point */
RADDLE_ORDERED("always")
long write(int descriptor, const void *bytes, size_t size) {
    __raddle_fixed("write to a descriptor is never short and never fails");
    raddle_cancellation_point();
    if (descriptor < 0) {
        raddle_errno = EBADF;
        return -1;
    }
    if (descriptor == 1 || descriptor == 2) {
        __raddle_output(descriptor, (const char *)bytes, size);
    } else {
        long written = raddle_write_pipe(descriptor, bytes, size);
        if (written != RADDLE_NO_PIPE) return written;
        raddle_look_at(bytes, size);
    }
    return (long)size;
}

long raddle_sent(const void *bytes, size_t size) {
    raddle_look_at(bytes, size);
    if (raddle_may_fail(EPIPE)) return -1;
    return (long)(size - (size ? __raddle_choose((unsigned long long)size) : 0));
}

/* read: any bytes, the end or an error (a choice), or what --stdin or --file gives; a cancellation point */
RADDLE_ORDERED("always")
long read(int descriptor, void *bytes, size_t size) {
    raddle_cancellation_point();
    if (descriptor < 0) {
        raddle_errno = EBADF;
        return -1;
    }
    long from_pipe = raddle_read_pipe(descriptor, bytes, size);
    if (from_pipe != RADDLE_NO_PIPE) return from_pipe;
    if (raddle_some_are_given()) {
        size_t length;
        const char *given = raddle_read_given(descriptor, size, -1, &length);
        if (given) {
            for (size_t i = 0; i < length; i++) ((char *)bytes)[i] = given[i];
            return (long)length;
        }
    }
    return raddle_read_anything(bytes, size);
}

long raddle_read_anything(void *bytes, size_t size) {
    unsigned long long count = __raddle_choose((unsigned long long)size + 2);
    __raddle_fixed("reading from outside fails with EIO or EAGAIN only, and is never interrupted");
    if (count == (unsigned long long)size + 1) {
        raddle_errno = __raddle_choose(2) ? EAGAIN : EIO;
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
    raddle_close_descriptor(descriptor);
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

static long value_of(int name) {
    switch (name) {
    case 30: /* _SC_PAGESIZE */
        __raddle_fixed("the page size is 4096 bytes");
        return 4096;
    case 83: case 84: /* _SC_NPROCESSORS_CONF, _SC_NPROCESSORS_ONLN */
        __raddle_fixed("there are at most 64 processors (sysconf)");
        return 1 + (long)__raddle_choose(64);
    case 85: case 86: /* _SC_PHYS_PAGES, _SC_AVPHYS_PAGES */
        __raddle_fixed("there are at most 2^19 pages of memory (sysconf)");
        return 1 + (long)__raddle_choose(1 << 19);
    }
    __raddle_fixed("limits of the system are the usual ones of Linux (sysconf)");
    switch (name) {
    case 0: return 2097152;         /* _SC_ARG_MAX */
    case 2: return 100;             /* _SC_CLK_TCK */
    case 3: return 65536;           /* _SC_NGROUPS_MAX */
    case 4: return 1024;            /* _SC_OPEN_MAX */
    case 29: case 67: case 68: return 200809; /* _SC_VERSION, _SC_THREADS, _SC_THREAD_SAFE_FUNCTIONS */
    case 60: return 1024;           /* _SC_IOV_MAX */
    case 69: case 70: return 1024;  /* _SC_GETGR_R_SIZE_MAX, _SC_GETPW_R_SIZE_MAX */
    case 75: return 16384;          /* _SC_THREAD_STACK_MIN */
    case 76: return -1;             /* _SC_THREAD_THREADS_MAX: no limit */
    case 180: return 64;            /* _SC_HOST_NAME_MAX */
    case 190: return 64;            /* _SC_LEVEL1_DCACHE_LINESIZE */
    }
    __raddle_unsupported("sysconf: this value");
}

/* sysconf: as on Linux; any number of processors up to 64, any amount of memory (a choice); others are unsupported */
long sysconf(int name) { return value_of(name); }

/* __sysconf: as sysconf */
long __sysconf(int name) { return value_of(name); }
