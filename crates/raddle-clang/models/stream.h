/* Streams of <stdio.h>, as stdio_output.c and stdio_input.c see them, and files whose contents are given. */
#ifndef RADDLE_STREAM_H
#define RADDLE_STREAM_H
#include "model.h"

/* A file with the contents that --file or --stdin gives; a zero byte follows the last. */
struct raddle_given { const char *name; const char *bytes; size_t size; };
/* Whether there is any. */
int raddle_some_are_given(void);
/* The file of that name, or null. Reads the name. */
const struct raddle_given *raddle_given(const char *name);
/* The standard input, or null: any input. */
const struct raddle_given *raddle_given_standard_input(void);

/* Given standard input is read by one of the two. Inside a section. */
enum { RADDLE_BY_STREAM = 1, RADDLE_BY_DESCRIPTOR };
void raddle_read_standard_input_as(int kind);

struct raddle_stream {
    int number;                     /* 0 stdin, 1 stdout, 2 stderr, 3 a file */
    int at_end, failed;             /* what feof and ferror say */
    int pushed_back;                /* a character of ungetc plus one; 0: none */
    int user;                       /* the thread that reads given contents; 0: none */
    const struct raddle_given *given; /* of a file; null: any contents */
    size_t position;                /* in given contents */
};
extern struct raddle_stream *const stdin;
extern struct raddle_stream *const stdout;
extern struct raddle_stream *const stderr;

/* The contents that a stream reads, or null: any. */
static inline const struct raddle_given *raddle_contents(const struct raddle_stream *stream) {
    return stream->number == 0 ? raddle_given_standard_input() : stream->given;
}

#endif
