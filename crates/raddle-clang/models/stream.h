/* Streams of <stdio.h>, as stdio_output.c and stdio_input.c see them. */
#ifndef RADDLE_STREAM_H
#define RADDLE_STREAM_H
#include "model.h"

struct raddle_stream {
    int number;                     /* 0 stdin, 1 stdout, 2 stderr, 3 a file */
    int at_end, failed;             /* what feof and ferror say */
    int pushed_back;                /* a character of ungetc plus one; 0: none */
};
extern struct raddle_stream *const stdin;
extern struct raddle_stream *const stdout;
extern struct raddle_stream *const stderr;

#endif
