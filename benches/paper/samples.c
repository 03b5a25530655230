// A sampling core and a processing core share two buffers of samples: while one is filled, the other one is processed. Each
// buffer has a register that says which core owns it. The processing core applies a gain, limits what is too large, and keeps
// the sum and the largest sample of each frame; a frame has a number, and its samples are numbered by it.
//
// With -DBAD the sampling core takes the next buffer without testing whether it was given back (overrun).
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include "input.h"

#ifndef N
#define N 3
#endif

enum { FRAME = 2, BUFFERS = 2, LARGEST = 100 };
enum owner { SAMPLING, PROCESSING };

struct frame {
    atomic_int owner; // register
    uint16_t number;
    uint16_t samples[FRAME];
    uint16_t tag[FRAME]; // the frame to which a sample belongs
};

struct statistics {
    unsigned frames, limited;
    uint32_t sum;
    uint16_t largest;
};

static struct frame frames[BUFFERS];
static atomic_int gain_register = 1;

// -- the sampling core

// What the converter gives.
static uint16_t converter_read(int number, int index) {
    return (uint16_t)(number * 10 + index + input(0, 1));
}

static void frame_fill(struct frame *frame, int number) {
    frame->number = (uint16_t)number;
    for (int i = 0; i < FRAME; i++) {
        frame->samples[i] = converter_read(number, i);
        frame->tag[i] = (uint16_t)number;
    }
}

static void *sampling_core(void *unused) {
    for (int number = 0; number < N; number++) {
        struct frame *frame = &frames[number % BUFFERS];
#ifndef BAD
        while (atomic_load(&frame->owner) != SAMPLING) {
        }
#endif
        frame_fill(frame, number);
        atomic_store(&frame->owner, PROCESSING);
    }
    return unused;
}

// -- the processing core

static uint16_t limit(uint32_t sample, struct statistics *statistics) {
    if (sample <= LARGEST) return (uint16_t)sample;
    statistics->limited++;
    return LARGEST;
}

static void frame_process(struct frame *frame, int number, int gain, struct statistics *statistics) {
    assert(frame->number == number);
    for (int i = 0; i < FRAME; i++) {
        assert(frame->tag[i] == number);
        uint16_t sample = limit((uint32_t)frame->samples[i] * (uint32_t)gain, statistics);
        frame->samples[i] = sample;
        statistics->sum += sample;
        if (sample > statistics->largest) statistics->largest = sample;
    }
    statistics->frames++;
}

static void *processing_core(void *argument) {
    struct statistics *statistics = argument;
    for (int number = 0; number < N; number++) {
        struct frame *frame = &frames[number % BUFFERS];
        while (atomic_load(&frame->owner) != PROCESSING) {
        }
        frame_process(frame, number, atomic_load(&gain_register), statistics);
        atomic_store(&frame->owner, SAMPLING);
    }
    return NULL;
}

int main(void) {
    pthread_t sampling, processing;
    struct statistics statistics = {0};
    pthread_create(&sampling, NULL, sampling_core, NULL);
    pthread_create(&processing, NULL, processing_core, &statistics);
    atomic_store(&gain_register, 2);
    pthread_join(sampling, NULL);
    pthread_join(processing, NULL);
    assert(statistics.frames == N);
    assert(statistics.largest <= LARGEST);
    assert(statistics.sum <= (uint32_t)(N * FRAME * LARGEST));
    return 0;
}
