/* Files by descriptors and names, as far as a verifier can: each call succeeds or fails (a choice), and reading gives
 * anything, unless --file gives the contents of a file that is opened for reading. A pipe gives what was written to it.
 *
 * Deviations: 1. a file has no state: what is written to it is not what is read from it, and a file that was removed may
 * open. 2. A call that fails sets errno to one of a few numbers, which is printed as an assumption. 3. A descriptor is the
 * lowest that is unused; using one that is closed is no fault. 4. Reads of a given file by several threads are ordered. 5. A
 * pipe holds 64 bytes; what is read from it is ordered after what was written before; without readers, writing gives EPIPE
 * and no signal.
 */
#include "files.h"

/* Those that open, pipe, socket and accept gave, in ascending order. */
static struct raddle_descriptor *opened;
/* Of the standard descriptors. */
static unsigned char closed[3];

int raddle_open_descriptor(const struct raddle_given *given) {
    __raddle_begin();
    struct raddle_descriptor **at = &opened;
    int number = 0;
    while (number < 3 && !closed[number]) number++;
    while (*at && (*at)->number <= number) {
        number = (*at)->number + 1;
        while (number < 3 && !closed[number]) number++;
        at = &(*at)->next;
    }
    struct raddle_descriptor *descriptor = (struct raddle_descriptor *)__raddle_alloc(sizeof *descriptor, RADDLE_INTERNAL);
    descriptor->number = number;
    descriptor->given = given;
    descriptor->next = *at;
    *at = descriptor;
    __raddle_end();
    return number;
}

void raddle_close_descriptor(int number) {
    __raddle_begin();
    struct raddle_descriptor **at = &opened;
    while (*at && (*at)->number != number) at = &(*at)->next;
    if (*at) {
        struct raddle_descriptor *found = *at;
        *at = found->next;
        if (found->pipe) {
            __raddle_release(found->pipe, 0);
            if (found->writes) found->pipe->writers = 0;
            else found->pipe->readers = 0;
            if (!found->pipe->writers && !found->pipe->readers) __raddle_free(found->pipe);
        }
        __raddle_free(found);
    } else if (number <= 2) {
        closed[number] = 1;
    }
    __raddle_end();
}

/* Inside a section. */
static struct raddle_descriptor *descriptor_of(int number) {
    struct raddle_descriptor *at = opened;
    while (at && at->number != number) at = at->next;
    return at;
}

const char *raddle_read_given(int number, size_t size, long long position, size_t *length) {
    __raddle_begin();
    struct raddle_descriptor *descriptor = descriptor_of(number);
    const struct raddle_given *given = descriptor ? descriptor->given
                                     : number == 0 && !closed[0] ? raddle_given_standard_input() : 0;
    if (given && !descriptor) raddle_read_standard_input_as(RADDLE_BY_DESCRIPTOR);
    const char *bytes = 0;
    if (given) {
        static size_t in_standard_input;
        size_t *own = descriptor ? &descriptor->position : &in_standard_input;
        size_t from = position >= 0 ? (size_t)position : *own;
        if (from > given->size) from = given->size;
        *length = given->size - from < size ? given->size - from : size;
        if (position < 0) {
            __raddle_acquire(given, 0);
            __raddle_release(given, 0);
            *own = from + *length;
        }
        bytes = given->bytes + from;
    }
    __raddle_end();
    return bytes;
}

int raddle_may_fail(int usual) {
    __raddle_fixed("a system call that fails sets errno to EINTR, EIO, EBADF, EINVAL or the usual reason of that call");
    static const int reasons[] = {EINTR, EIO, EBADF, EINVAL};
    unsigned long long which = __raddle_choose(6);
    if (which == 0) return 0;
    raddle_errno = which == 1 ? usual : reasons[which - 2];
    return 1;
}

static int open_any(const char *name, int flags) {
    raddle_cancellation_point();
    const struct raddle_given *given = raddle_given(name);
    if (flags & 3) given = 0;
    if (!given && raddle_may_fail(ENOENT)) return -1;
    return raddle_open_descriptor(given);
}

/* open: a descriptor or an error (a choice); a file of --file opens; a cancellation point */
int open(const char *name, int flags, ...) { return open_any(name, flags); }
/* open64: as open */
int open64(const char *name, int flags, ...) { return open_any(name, flags); }
/* openat: as open */
int openat(int folder, const char *name, int flags, ...) { return open_any(name, flags); }
/* creat: a descriptor or an error (a choice); a cancellation point */
int creat(const char *name, unsigned mode) { return open_any(name, 1); }

/* -- pipes ------------------------------------------------------------------------------------------------------ */

static int make_pipe(int *ends, int flags) {
    if (raddle_may_fail(EMFILE)) return -1;
    int reading = raddle_open_descriptor(0), writing = raddle_open_descriptor(0);
    __raddle_begin();
    struct raddle_pipe *made = (struct raddle_pipe *)__raddle_alloc(sizeof *made, RADDLE_INTERNAL);
    made->readers = made->writers = 1;
    struct raddle_descriptor *reader = descriptor_of(reading), *writer = descriptor_of(writing);
    reader->pipe = writer->pipe = made;
    writer->writes = 1;
    reader->gives_up = writer->gives_up = (flags & 04000) != 0;
    __raddle_end();
    ends[0] = reading;
    ends[1] = writing;
    return 0;
}

/* pipe: two descriptors, or an error (a choice); at most 64 bytes are in it */
int pipe(int *ends) { return make_pipe(ends, 0); }
/* pipe2: as pipe */
int pipe2(int *ends, int flags) { return make_pipe(ends, flags); }

/* Inside a section: the end of a pipe, or null. */
static struct raddle_descriptor *end_of_pipe(int number, int writes) {
    struct raddle_descriptor *end = descriptor_of(number);
    return end && end->pipe && end->writes == writes ? end : 0;
}

/* Inside a section, which may wait. */
static void end_if_cancelled(void) {
    if (raddle_cancel_due(raddle_current())) {
        __raddle_end();
        raddle_cancelled();
    }
}

long raddle_read_pipe(int number, void *bytes, size_t size) {
    char taken[RADDLE_PIPE_SIZE];
    __raddle_begin();
    struct raddle_descriptor *end = end_of_pipe(number, 0);
    if (!end) {
        __raddle_end();
        return RADDLE_NO_PIPE;
    }
    struct raddle_pipe *pipe = end->pipe;
    int gives_up = !pipe->count && pipe->writers && end->gives_up && size;
    end_if_cancelled();
    if (!pipe->count && pipe->writers && !gives_up && size) __raddle_block(RADDLE_WAIT_OTHER, pipe, 0);
    __raddle_acquire(pipe, 0);
    unsigned length = size < pipe->count ? (unsigned)size : pipe->count;
    for (unsigned i = 0; i < length; i++) taken[i] = pipe->bytes[i];
    for (unsigned i = length; i < pipe->count; i++) pipe->bytes[i - length] = pipe->bytes[i];
    for (unsigned i = pipe->count - length; i < pipe->count; i++) pipe->bytes[i] = 0;
    pipe->count -= length;
    __raddle_end();
    if (gives_up) {
        raddle_errno = EAGAIN;
        return -1;
    }
    for (unsigned i = 0; i < length; i++) ((char *)bytes)[i] = taken[i];
    return (long)length;
}

long raddle_write_pipe(int number, const void *bytes, size_t size) {
    char given[RADDLE_PIPE_SIZE];
    __raddle_begin();
    struct raddle_descriptor *end = end_of_pipe(number, 1);
    __raddle_end();
    if (!end) return RADDLE_NO_PIPE;
    if (size > RADDLE_PIPE_SIZE) __raddle_unsupported("write: more than 64 bytes to a pipe");
    for (size_t i = 0; i < size; i++) given[i] = ((const char *)bytes)[i];
    __raddle_begin();
    end = end_of_pipe(number, 1);
    if (!end) {
        __raddle_end();
        raddle_errno = EBADF;
        return -1;
    }
    struct raddle_pipe *pipe = end->pipe;
    int is_full = pipe->count + size > RADDLE_PIPE_SIZE, broken = !pipe->readers;
    end_if_cancelled();
    if (is_full && !broken && !end->gives_up) __raddle_block(RADDLE_WAIT_OTHER, pipe, 0);
    if (!is_full && !broken) {
        for (size_t i = 0; i < size; i++) pipe->bytes[pipe->count++] = given[i];
    }
    __raddle_release(pipe, 0);
    __raddle_end();
    if (broken || is_full) {
        raddle_errno = broken ? EPIPE : EAGAIN;
        return -1;
    }
    return (long)size;
}

static int duplicate(int descriptor) {
    if (raddle_may_fail(EMFILE)) return -1;
    __raddle_begin();
    struct raddle_descriptor *old = descriptor_of(descriptor);
    int is_given = old ? old->given || old->pipe : descriptor == 0 && raddle_given_standard_input();
    __raddle_end();
    if (is_given) __raddle_unsupported("dup: of a descriptor whose contents are given, or of a pipe");
    return raddle_open_descriptor(0);
}

/* dup: a descriptor or an error (a choice) */
int dup(int descriptor) { return duplicate(descriptor); }

/* dup2: succeeds or fails (a choice) */
RADDLE_ORDERED("always")
int dup2(int descriptor, int target) {
    if (target >= 0 && target <= 2) __raddle_unsupported("dup2: of a standard descriptor");
    return raddle_may_fail(EMFILE) ? -1 : target;
}

/* lseek: the position that is set, or any, or an error (a choice); not of a descriptor whose contents are given */
long lseek(int descriptor, long offset, int from) {
    __raddle_fixed("files are smaller than 2 GiB (lseek)");
    __raddle_begin();
    struct raddle_descriptor *found = descriptor_of(descriptor);
    int is_given = found && found->given;
    __raddle_end();
    if (is_given) __raddle_unsupported("lseek: of a descriptor whose contents are given");
    if (raddle_may_fail(ESPIPE)) return -1;
    if (from == 0 && offset >= 0) return offset;
    return (long)__raddle_any(31);
}

static long read_at(int descriptor, void *bytes, size_t size, long long position) {
    raddle_cancellation_point();
    if (position < 0) {
        long from_pipe = raddle_read_pipe(descriptor, bytes, size);
        if (from_pipe != RADDLE_NO_PIPE) return from_pipe;
    }
    size_t length;
    const char *given = raddle_read_given(descriptor, size, position, &length);
    if (!given) return raddle_read_anything(bytes, size);
    for (size_t i = 0; i < length; i++) ((char *)bytes)[i] = given[i];
    return (long)length;
}

/* pread: any bytes, the end or an error (a choice), or what --file gives; a cancellation point */
RADDLE_ORDERED("always")
long pread(int descriptor, void *bytes, size_t size, long position) {
    return read_at(descriptor, bytes, size, position);
}

/* readv: any bytes, the end or an error (a choice) into the first part; a cancellation point */
RADDLE_ORDERED("always")
long readv(int descriptor, const struct raddle_part *parts, int count) {
    return count > 0 ? read_at(descriptor, parts[0].bytes, parts[0].size, -1) : 0;
}

/* pwrite: the bytes are dropped; all, some or an error (a choice); a cancellation point */
RADDLE_ORDERED("always")
long pwrite(int descriptor, const void *bytes, size_t size, long position) {
    raddle_cancellation_point();
    return raddle_sent(bytes, size);
}

/* writev: the bytes are dropped; all, some or an error (a choice); a cancellation point */
RADDLE_ORDERED("always")
long writev(int descriptor, const struct raddle_part *parts, int count) {
    raddle_cancellation_point();
    __raddle_begin();
    int is_pipe = end_of_pipe(descriptor, 1) != 0;
    __raddle_end();
    if (is_pipe) __raddle_unsupported("writev: to a pipe");
    size_t size = 0;
    for (int i = 0; i < count; i++) {
        raddle_look_at(parts[i].bytes, parts[i].size);
        size += parts[i].size;
    }
    return raddle_may_fail(EPIPE) ? -1 : (long)(size - (size ? __raddle_choose((unsigned long long)size) : 0));
}

#define SUCCEEDS_OR_FAILS(usual) return raddle_may_fail(usual) ? -1 : 0

/* fsync: succeeds or fails (a choice); a cancellation point */
RADDLE_ORDERED("always")
int fsync(int descriptor) { raddle_cancellation_point(); SUCCEEDS_OR_FAILS(EACCES); }
/* fdatasync: succeeds or fails (a choice); a cancellation point */
RADDLE_ORDERED("always")
int fdatasync(int descriptor) { raddle_cancellation_point(); SUCCEEDS_OR_FAILS(EACCES); }
/* ftruncate: succeeds or fails (a choice) */
RADDLE_ORDERED("always")
int ftruncate(int descriptor, long size) { SUCCEEDS_OR_FAILS(EACCES); }
/* access: succeeds or fails (a choice); a file of --file can be read */
RADDLE_ORDERED("always")
int access(const char *name, int mode) {
    (void)raddle_string_length(name);
    if ((mode & 3) == 0 && raddle_given(name)) return 0;
    SUCCEEDS_OR_FAILS(ENOENT);
}

/* As glibc lays it out on x86. */
struct status {
#ifdef __LP64__
    unsigned long device, number, links;
    unsigned mode, user, group, unused;
    unsigned long kind;
    long size, block_size, blocks, times[9];
#else
    unsigned long long device;
    unsigned unused, number, mode, links, user, group;
    unsigned long long kind;
    unsigned unused_too;
    long size, block_size, blocks, times[8];
#endif
};

static int describe(const struct raddle_given *given, struct status *status) {
    __raddle_fixed("stat describes an ordinary file, of any size, with times of 0");
    if (!given && raddle_may_fail(ENOENT)) return -1;
    *status = (struct status){.links = 1, .mode = 0100644, .user = 1000, .group = 1000, .block_size = 4096};
    status->size = given ? (long)given->size : (long)__raddle_any(31);
    status->blocks = (status->size + 511) / 512;
    return 0;
}

/* stat: an ordinary file of any size, or an error (a choice) */
int stat(const char *name, struct status *status) { return describe(raddle_given(name), status); }
/* stat64: as stat */
int stat64(const char *name, struct status *status) { return describe(raddle_given(name), status); }
/* lstat: as stat */
int lstat(const char *name, struct status *status) { return describe(raddle_given(name), status); }
/* fstat: an ordinary file of any size, or an error (a choice) */
int fstat(int descriptor, struct status *status) {
    __raddle_begin();
    struct raddle_descriptor *found = descriptor_of(descriptor);
    const struct raddle_given *given = found ? found->given : 0;
    __raddle_end();
    return describe(given, status);
}
/* unlink: succeeds or fails (a choice) */
RADDLE_ORDERED("always")
int unlink(const char *name) { (void)raddle_string_length(name); SUCCEEDS_OR_FAILS(ENOENT); }
/* remove: succeeds or fails (a choice) */
RADDLE_ORDERED("always")
int remove(const char *name) { (void)raddle_string_length(name); SUCCEEDS_OR_FAILS(ENOENT); }
/* rename: succeeds or fails (a choice) */
RADDLE_ORDERED("always")
int rename(const char *from, const char *to) {
    (void)(raddle_string_length(from) + raddle_string_length(to));
    SUCCEEDS_OR_FAILS(ENOENT);
}
/* mkdir: succeeds or fails (a choice) */
RADDLE_ORDERED("always")
int mkdir(const char *name, unsigned mode) { (void)raddle_string_length(name); SUCCEEDS_OR_FAILS(ENOENT); }
/* rmdir: succeeds or fails (a choice) */
RADDLE_ORDERED("always")
int rmdir(const char *name) { (void)raddle_string_length(name); SUCCEEDS_OR_FAILS(ENOENT); }
/* chmod: succeeds or fails (a choice) */
RADDLE_ORDERED("always")
int chmod(const char *name, unsigned mode) { (void)raddle_string_length(name); SUCCEEDS_OR_FAILS(ENOENT); }
/* chdir: succeeds or fails (a choice) */
RADDLE_ORDERED("always")
int chdir(const char *name) { (void)raddle_string_length(name); SUCCEEDS_OR_FAILS(ENOENT); }

/* Of a pipe; 0: it is none. */
static int set_flags(int descriptor, int flags) {
    __raddle_begin();
    struct raddle_descriptor *end = descriptor_of(descriptor);
    int is_pipe = end && end->pipe;
    if (is_pipe) end->gives_up = (flags & 04000) != 0;
    __raddle_end();
    return is_pipe;
}

static int control(int descriptor, int command, va_list arguments) {
    switch (command) {
    case 1: return raddle_may_fail(EACCES) ? -1 : (int)__raddle_choose(2);
    case 3: return raddle_may_fail(EACCES) ? -1 : (int)(__raddle_choose(3) | __raddle_choose(2) << 11);
    case 4:
        if (set_flags(descriptor, va_arg(arguments, int))) return 0;
        SUCCEEDS_OR_FAILS(EACCES);
    case 2: SUCCEEDS_OR_FAILS(EACCES);
    }
    __raddle_unsupported("fcntl: this command");
}

#define CONTROL \
    va_list arguments; \
    va_start(arguments, command); \
    int result = control(descriptor, command, arguments); \
    va_end(arguments); \
    return result

/* fcntl: any flags of F_GETFL and F_GETFD; F_SETFL and F_SETFD succeed or fail (a choice); others are unsupported */
RADDLE_ORDERED("always")
int fcntl(int descriptor, int command, ...) { CONTROL; }
/* fcntl64: as fcntl */
RADDLE_ORDERED("always")
int fcntl64(int descriptor, int command, ...) { CONTROL; }
