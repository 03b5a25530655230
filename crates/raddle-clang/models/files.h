/* What files.c, socket.c and unistd.c share: descriptors, and calls that succeed or fail. */
#ifndef RADDLE_FILES_H
#define RADDLE_FILES_H
#include "stream.h"

enum { EACCES = 13, EMFILE = 24, ESPIPE = 29, EPIPE = 32, EADDRINUSE = 98, ECONNRESET = 104, ECONNREFUSED = 111 };

enum { RADDLE_PIPE_SIZE = 64 };
struct raddle_pipe {
    unsigned count;
    unsigned char readers, writers;   /* 1 while that end is open */
    char bytes[RADDLE_PIPE_SIZE];
};

struct raddle_descriptor {
    struct raddle_descriptor *next;
    const struct raddle_given *given; /* null: any contents */
    size_t position;
    int number;
    struct raddle_pipe *pipe;
    unsigned char writes, gives_up;   /* of a pipe: its end, and O_NONBLOCK */
};
/* As read and write of the end of a pipe, or this where the descriptor is none. */
enum { RADDLE_NO_PIPE = -2 };
long raddle_read_pipe(int descriptor, void *bytes, size_t size);
long raddle_write_pipe(int descriptor, const void *bytes, size_t size);
/* The lowest number from 3 on that is not open. */
int raddle_open_descriptor(const struct raddle_given *given);
void raddle_close_descriptor(int number);

/* Takes up to `size` bytes of given contents, from a position or (-1) where the last call ended; null where the contents
 * are not given. */
const char *raddle_read_given(int descriptor, size_t size, long long position, size_t *length);

/* 1 and errno, or 0: a choice. `usual` is what the call most often fails with. */
int raddle_may_fail(int usual);
/* Any bytes, the end, or an error with EIO or EAGAIN (a choice). */
long raddle_read_anything(void *bytes, size_t size);
/* Reads what is written or sent; all, some, or an error (a choice). */
long raddle_sent(const void *bytes, size_t size);
struct raddle_part { void *bytes; size_t size; };

#endif
