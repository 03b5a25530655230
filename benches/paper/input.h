// Inputs of the programs in this folder: any value when raddle checks them, pseudo-random ones when they are run.
#ifndef INPUT_H
#define INPUT_H

#if __has_include(<raddle.h>)
#include <raddle.h>

static inline int input(int low, int high) { return (int)raddle_any_in(low, high); }
#else
#include <stdlib.h>
#include <time.h>

static inline int input(int low, int high) {
    static int seeded;
    if (!seeded) {
        struct timespec now;
        clock_gettime(CLOCK_REALTIME, &now);
        srand((unsigned)now.tv_nsec);
        seeded = 1;
    }
    return low + rand() % (high - low + 1);
}
#endif

#endif
