/* Sockets and waiting for descriptors: stand-ins that give anything that is allowed. Each call succeeds or fails (a
 * choice); what is received is anything; what is sent is read and dropped.
 *
 * Deviations: 1. no call waits: a peer always comes, sends and reads. So a program that waits for a peer for ever is not
 * found to hang; that is printed as an assumption. 2. Two sockets of one program are not connected with each other.
 */
#include "files.h"

/* Of its own, so that it counts although the answer is not the result. */
static void fix_peers(void) { __raddle_fixed("waiting for other processes and for descriptors always ends"); }

static int new_descriptor(void) { return raddle_may_fail(EMFILE) ? -1 : raddle_open_descriptor(0); }

/* Any bytes in an address that the caller has room for. */
static void peer(void *address, unsigned *size) {
    if (!address || !size) return;
    unsigned room = *size, length = 16;
    for (unsigned i = 0; i < room && i < length; i++) ((unsigned char *)address)[i] = (unsigned char)__raddle_any(8);
    *size = length;
}

/* socket: a descriptor or an error (a choice) */
int socket(int domain, int type, int protocol) { return new_descriptor(); }

/* accept: a descriptor or an error (a choice), and any address; a cancellation point */
int accept(int descriptor, void *address, unsigned *size) {
    fix_peers();
    raddle_cancellation_point();
    peer(address, size);
    return new_descriptor();
}
/* accept4: as accept */
int accept4(int descriptor, void *address, unsigned *size, int flags) {
    fix_peers();
    raddle_cancellation_point();
    peer(address, size);
    return new_descriptor();
}

/* socketpair: two descriptors or an error (a choice); what is sent to one is not what the other receives */
int socketpair(int domain, int type, int protocol, int *ends) {
    fix_peers();
    if (raddle_may_fail(EMFILE)) return -1;
    ends[0] = raddle_open_descriptor(0);
    ends[1] = raddle_open_descriptor(0);
    return 0;
}

#define SUCCEEDS_OR_FAILS(usual) return raddle_may_fail(usual) ? -1 : 0

/* bind: succeeds or fails (a choice) */
RADDLE_ORDERED("always")
int bind(int descriptor, const void *address, unsigned size) { raddle_look_at(address, size); SUCCEEDS_OR_FAILS(EADDRINUSE); }
/* listen: succeeds or fails (a choice) */
RADDLE_ORDERED("always")
int listen(int descriptor, int waiting) { SUCCEEDS_OR_FAILS(EACCES); }
/* connect: succeeds or fails (a choice); a cancellation point */
RADDLE_ORDERED("always")
int connect(int descriptor, const void *address, unsigned size) {
    fix_peers();
    raddle_cancellation_point();
    raddle_look_at(address, size);
    SUCCEEDS_OR_FAILS(ECONNREFUSED);
}
/* shutdown: succeeds or fails (a choice) */
RADDLE_ORDERED("always")
int shutdown(int descriptor, int how) { SUCCEEDS_OR_FAILS(EACCES); }
/* setsockopt: succeeds or fails (a choice) */
RADDLE_ORDERED("always")
int setsockopt(int descriptor, int level, int name, const void *value, unsigned size) {
    raddle_look_at(value, size);
    SUCCEEDS_OR_FAILS(EACCES);
}
/* getsockopt: any value, or an error (a choice) */
RADDLE_ORDERED("always")
int getsockopt(int descriptor, int level, int name, void *value, unsigned *size) {
    if (raddle_may_fail(EMFILE)) return -1;
    for (unsigned i = 0; i < *size; i++) ((unsigned char *)value)[i] = (unsigned char)__raddle_any(8);
    return 0;
}

/* recv: any bytes, the end or an error (a choice); a cancellation point */
RADDLE_ORDERED("always")
long recv(int descriptor, void *bytes, size_t size, int flags) {
    fix_peers();
    raddle_cancellation_point();
    return raddle_read_anything(bytes, size);
}
/* recvfrom: any bytes from any address, the end or an error (a choice); a cancellation point */
RADDLE_ORDERED("always")
long recvfrom(int descriptor, void *bytes, size_t size, int flags, void *address, unsigned *address_size) {
    fix_peers();
    raddle_cancellation_point();
    peer(address, address_size);
    return raddle_read_anything(bytes, size);
}
/* send: all, some, or an error (a choice); a cancellation point */
RADDLE_ORDERED("always")
long send(int descriptor, const void *bytes, size_t size, int flags) {
    fix_peers();
    raddle_cancellation_point();
    return raddle_sent(bytes, size);
}
/* sendto: all, some, or an error (a choice); a cancellation point */
RADDLE_ORDERED("always")
long sendto(int descriptor, const void *bytes, size_t size, int flags, const void *address, unsigned address_size) {
    fix_peers();
    raddle_cancellation_point();
    raddle_look_at(address, address_size);
    return raddle_sent(bytes, size);
}

static unsigned short swapped(unsigned short x) { return (unsigned short)(x << 8 | x >> 8); }

/* htons: the bytes in the order of the network */
unsigned short htons(unsigned short number) { return swapped(number); }
/* ntohs: the bytes in the order of the machine */
unsigned short ntohs(unsigned short number) { return swapped(number); }
/* htonl: the bytes in the order of the network */
unsigned htonl(unsigned number) { return __builtin_bswap32(number); }
/* ntohl: the bytes in the order of the machine */
unsigned ntohl(unsigned number) { return __builtin_bswap32(number); }

struct polled { int descriptor; short events, happened; };
enum { POLL_ALWAYS = 8 | 16 | 32 }; /* POLLERR, POLLHUP, POLLNVAL */

/* poll: any events that were asked for, a time-out, or an error (a choice); without descriptors a yield; a cancellation
 * point */
RADDLE_ORDERED("always")
int poll(struct polled *polled, unsigned long count, int milliseconds) {
    fix_peers();
    raddle_moment end = milliseconds > 0 ? raddle_moment_in((unsigned)milliseconds / 1000, (unsigned)milliseconds % 1000 * 1000000)
                                         : raddle_long_ago();
    if (count == 0) __raddle_yield();
    raddle_cancellation_point();
    if (count && raddle_may_fail(ENOMEM)) return -1;
    int ready = 0;
    for (unsigned long i = 0; i < count; i++) {
        short happened = 0;
        if (polled[i].descriptor >= 0 && __raddle_choose(2))
            for (int bits = polled[i].events | POLL_ALWAYS, bit = 1; bit < 0x8000; bit <<= 1)
                if (bits & bit && __raddle_choose(2)) happened |= (short)bit;
        polled[i].happened = happened;
        ready += happened != 0;
    }
    if (count && milliseconds < 0) __raddle_assume(ready > 0);
    if (!ready) raddle_time_is(end);
    return ready;
}

/* select: any of the descriptors that were asked for, a time-out, or an error (a choice); without descriptors a yield;
 * EINVAL for a negative time; a cancellation point */
RADDLE_ORDERED("always")
int select(int count, unsigned long *readable, unsigned long *writable, unsigned long *exceptional, void *timeout) {
    fix_peers();
    const struct { long seconds, microseconds; } *duration = timeout;
    if (count < 0 || count > 1024 || duration && (duration->seconds < 0 || duration->microseconds < 0)) {
        raddle_errno = EINVAL;
        return -1;
    }
    raddle_moment end = raddle_long_ago();
    if (duration) {
        unsigned long long part = (unsigned long long)duration->microseconds;
        end = raddle_moment_in((unsigned long long)duration->seconds + part / 1000000, (unsigned)(part % 1000000) * 1000);
    }
    unsigned long *sets[3] = {readable, writable, exceptional};
    int none = !readable && !writable && !exceptional, ready = 0;
    if (none) __raddle_yield();
    raddle_cancellation_point();
    if (!none && raddle_may_fail(ENOMEM)) return -1;
    for (int i = 0; i < 3; i++) {
        if (!sets[i]) continue;
        int bits = 8 * (int)sizeof(long);
        for (int word = 0; word * bits < count; word++) {
            unsigned long asked = sets[i][word], kept = 0;
            if ((word + 1) * bits > count) asked &= (1UL << count % bits) - 1;
            for (; asked; asked &= asked - 1)
                if (__raddle_choose(2)) kept |= asked & -asked, ready++;
            sets[i][word] = kept;
        }
    }
    if (!none && !timeout) __raddle_assume(ready > 0);
    if (!ready) raddle_time_is(end);
    return ready;
}
