// A parallel compressor of blocks, in the style of bzip2smp: a reader cuts the input into blocks, workers compress them, and a
// writer puts them out in the order of the input. Reader and workers are connected by a bounded queue, workers and writer by a
// table of slots, each with a lock and condition variables. A block is transformed by move-to-front, then coded as runs, whose
// lengths are written in bits by Elias' gamma code; the output is a stream with a header for each block and a trailer, which is
// decoded again and compared with the input.
//
//   options               text to what was asked for
//   bits                  numbers of few bits, and gamma codes
//   move to front, runs   the coding of one block, and back
//   stream                bytes with a header for each block
//   queue                 from the reader to the workers, bounded
//   slots                 from the workers to the writer, by the number of the block
//   totals                what all workers did
//   threads               reader, workers, writer
//
// With -DBAD a worker that was woken takes a block without testing again whether there is one: another worker may have taken it,
// or there is none left.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

#include "input.h"

#ifndef N
#define N 2 // workers
#endif
#ifndef BLOCKS
#define BLOCKS 2
#endif

enum { BLOCK = 2, SIZE = BLOCKS * BLOCK, SYMBOLS = 4, SYMBOL_BITS = 2 };
enum { CODED = BLOCK + 1, HEADER = 4, TRAILER = 3, STREAM = BLOCKS * (CODED + HEADER) + TRAILER };

// -- options: as on the command line, "-j2 -b2"

struct options {
    unsigned workers, block;
};

static const char *option_number(const char *text, unsigned *number) {
    if (*text < '0' || *text > '9') return NULL;
    for (*number = 0; *text >= '0' && *text <= '9'; text++) {
        if (*number > 1000) return NULL;
        *number = *number * 10 + (unsigned)(*text - '0');
    }
    return text;
}

static int options_parse(const char *text, struct options *options) {
    options->workers = 1;
    options->block = BLOCK;
    while (*text == '-') {
        unsigned *number = NULL;
        if (text[1] == 'j') number = &options->workers;
        if (text[1] == 'b') number = &options->block;
        if (!number || !(text = option_number(text + 2, number))) return 0;
        while (*text == ' ') text++;
    }
    return *text == 0 && options->workers > 0 && options->block > 0;
}

// -- bits

struct bits {
    uint8_t data[CODED];
    unsigned length; // in bits
};

struct bits_reader {
    const uint8_t *data;
    unsigned at, length;
    int failed; // there were no more
};

static void bits_begin(struct bits *bits) {
    bits->length = 0;
    for (unsigned i = 0; i < CODED; i++) bits->data[i] = 0;
}

static unsigned bits_bytes(const struct bits *bits) {
    return (bits->length + 7) / 8;
}

static void bits_add(struct bits *bits, unsigned value, unsigned count) {
    while (count > 0) {
        count--;
        assert(bits->length < 8 * CODED);
        if (value >> count & 1) bits->data[bits->length / 8] |= (uint8_t)(0x80 >> bits->length % 8);
        bits->length++;
    }
}

static unsigned bits_take(struct bits_reader *reader, unsigned count) {
    unsigned value = 0;
    for (; count > 0; count--) {
        if (reader->at >= reader->length) {
            reader->failed = 1;
            return 0;
        }
        value = value << 1 | (reader->data[reader->at / 8] >> (7 - reader->at % 8) & 1);
        reader->at++;
    }
    return value;
}

// A number from 1: as many zeros as it has bits after its first, then the number.
static void gamma_add(struct bits *bits, unsigned number) {
    unsigned width = 1;
    assert(number > 0);
    while (number >> width) width++;
    bits_add(bits, 0, width - 1);
    bits_add(bits, number, width);
}

static unsigned gamma_take(struct bits_reader *reader) {
    unsigned zeros = 0;
    while (!reader->failed && zeros < 8 && bits_take(reader, 1) == 0) zeros++;
    return reader->failed ? 0 : 1u << zeros | bits_take(reader, zeros);
}

// -- move to front

struct alphabet {
    uint8_t symbol[SYMBOLS];
};

static void alphabet_begin(struct alphabet *alphabet) {
    for (unsigned i = 0; i < SYMBOLS; i++) alphabet->symbol[i] = (uint8_t)i;
}

// Moves what is at a position to the front, and gives it.
static uint8_t alphabet_move(struct alphabet *alphabet, unsigned position) {
    assert(position < SYMBOLS);
    uint8_t symbol = alphabet->symbol[position];
    for (unsigned i = SYMBOLS - 1; i > 0; i--)
        if (i <= position) alphabet->symbol[i] = alphabet->symbol[i - 1];
    alphabet->symbol[0] = symbol;
    return symbol;
}

static unsigned alphabet_position(const struct alphabet *alphabet, uint8_t symbol) {
    unsigned position = 0;
    for (unsigned i = 0; i < SYMBOLS; i++)
        if (alphabet->symbol[i] == symbol) position = i;
    return position;
}

static void front_encode(const uint8_t *from, uint8_t *to, unsigned length) {
    struct alphabet alphabet;
    alphabet_begin(&alphabet);
    for (unsigned i = 0; i < length; i++) {
        unsigned position = alphabet_position(&alphabet, from[i]);
        to[i] = (uint8_t)position;
        alphabet_move(&alphabet, position);
    }
}

static void front_decode(const uint8_t *from, uint8_t *to, unsigned length) {
    struct alphabet alphabet;
    alphabet_begin(&alphabet);
    for (unsigned i = 0; i < length; i++) to[i] = alphabet_move(&alphabet, from[i]);
}

// -- runs: the length of a run plus one, then its symbol; a length of zero ends the block

static void runs_encode(const uint8_t *from, unsigned length, struct bits *to) {
    unsigned at = 0;
    bits_begin(to);
    while (at < length) {
        unsigned run = 1;
        while (at + run < length && from[at + run] == from[at]) run++;
        gamma_add(to, run + 1);
        bits_add(to, from[at], SYMBOL_BITS);
        at += run;
    }
    gamma_add(to, 1);
}

// How many symbols there were; more than the block has room for is an error.
static int runs_decode(struct bits_reader *from, uint8_t *to) {
    unsigned count = 0;
    for (;;) {
        unsigned run = gamma_take(from);
        if (from->failed || run == 0) return -1;
        if (run == 1) return (int)count;
        unsigned symbol = bits_take(from, SYMBOL_BITS);
        if (from->failed || count + run - 1 > BLOCK) return -1;
        for (; run > 1; run--) to[count++] = (uint8_t)symbol;
    }
}

static void block_encode(const uint8_t *block, struct bits *coded) {
    uint8_t positions[BLOCK];
    front_encode(block, positions, BLOCK);
    runs_encode(positions, BLOCK, coded);
}

static int block_decode(const uint8_t *coded, unsigned length, uint8_t *block) {
    uint8_t positions[BLOCK];
    struct bits_reader reader = {.data = coded, .length = 8 * length};
    if (runs_decode(&reader, positions) != BLOCK) return 0;
    front_decode(positions, block, BLOCK);
    return 1;
}

// -- stream: for each block 'B', number, length, checksum, coded bytes; at the end 'E', blocks, checksum of their checksums

struct stream {
    uint8_t data[STREAM];
    unsigned length;
    unsigned blocks;
    uint8_t combined;
};

static uint8_t checksum(const uint8_t *data, unsigned length) {
    unsigned sum = 0;
    for (unsigned i = 0; i < length; i++) sum = (sum << 1 ^ sum >> 7 ^ data[i]) & 0xff;
    return (uint8_t)sum;
}

static void stream_add(struct stream *stream, unsigned value) {
    assert(stream->length < STREAM);
    stream->data[stream->length++] = (uint8_t)value;
}

static uint8_t combine(uint8_t all, uint8_t one) {
    return (uint8_t)((all << 1 | all >> 7) ^ one);
}

static void stream_add_block(struct stream *stream, unsigned number, const struct bits *coded) {
    unsigned length = bits_bytes(coded);
    uint8_t sum = checksum(coded->data, length);
    stream_add(stream, 'B');
    stream_add(stream, number);
    stream_add(stream, length);
    stream_add(stream, sum);
    for (unsigned i = 0; i < length; i++) stream_add(stream, coded->data[i]);
    stream->blocks++;
    stream->combined = combine(stream->combined, sum);
}

static void stream_end(struct stream *stream) {
    stream_add(stream, 'E');
    stream_add(stream, stream->blocks);
    stream_add(stream, stream->combined);
}

// The blocks of a stream must come in order, and decode to the input.
static void stream_check(const struct stream *stream, const uint8_t *input_data) {
    unsigned at = 0;
    uint8_t combined = 0;
    for (unsigned number = 0; number < BLOCKS; number++) {
        uint8_t block[BLOCK];
        assert(at + HEADER <= stream->length);
        const uint8_t *header = stream->data + at;
        assert(header[0] == 'B' && header[1] == number);
        unsigned length = header[2];
        assert(length <= CODED && at + HEADER + length <= stream->length);
        assert(checksum(header + HEADER, length) == header[3]);
        assert(block_decode(header + HEADER, length, block));
        for (unsigned i = 0; i < BLOCK; i++) assert(block[i] == input_data[number * BLOCK + i]);
        combined = combine(combined, header[3]);
        at += HEADER + length;
    }
    assert(at + TRAILER == stream->length);
    assert(stream->data[at] == 'E' && stream->data[at + 1] == BLOCKS && stream->data[at + 2] == combined);
}

// -- queue

enum { QUEUE = 1 };

struct block {
    unsigned number;
    uint8_t data[BLOCK];
};

static struct {
    pthread_mutex_t lock;
    pthread_cond_t not_empty, not_full;
    struct block blocks[QUEUE];
    unsigned first, count;
    int closed; // no block will come
} queue = {.lock = PTHREAD_MUTEX_INITIALIZER, .not_empty = PTHREAD_COND_INITIALIZER, .not_full = PTHREAD_COND_INITIALIZER};

static void queue_put(const struct block *block) {
    pthread_mutex_lock(&queue.lock);
    while (queue.count == QUEUE) pthread_cond_wait(&queue.not_full, &queue.lock);
    queue.blocks[(queue.first + queue.count) % QUEUE] = *block;
    queue.count++;
    pthread_cond_signal(&queue.not_empty);
    pthread_mutex_unlock(&queue.lock);
}

static void queue_close(void) {
    pthread_mutex_lock(&queue.lock);
    queue.closed = 1;
    pthread_cond_broadcast(&queue.not_empty);
    pthread_mutex_unlock(&queue.lock);
}

// Whether there was a block.
static int queue_take(struct block *block) {
    int taken = 0;
    pthread_mutex_lock(&queue.lock);
#ifdef BAD
    if (queue.count == 0 && !queue.closed) {
        pthread_cond_wait(&queue.not_empty, &queue.lock);
        taken = 1;
    }
    taken |= queue.count > 0;
#else
    while (queue.count == 0 && !queue.closed) pthread_cond_wait(&queue.not_empty, &queue.lock);
    taken = queue.count > 0;
#endif
    if (taken) {
        assert(queue.count > 0);
        *block = queue.blocks[queue.first];
        queue.first = (queue.first + 1) % QUEUE;
        queue.count--;
        pthread_cond_signal(&queue.not_full);
    }
    pthread_mutex_unlock(&queue.lock);
    return taken;
}

// -- slots

struct slot {
    int filled;
    struct bits coded;
};

static struct {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    struct slot slots[BLOCKS];
} finished = {.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};

static void finished_put(unsigned number, const struct bits *coded) {
    pthread_mutex_lock(&finished.lock);
    assert(number < BLOCKS);
    assert(!finished.slots[number].filled);
    finished.slots[number].coded = *coded;
    finished.slots[number].filled = 1;
    pthread_cond_signal(&finished.changed);
    pthread_mutex_unlock(&finished.lock);
}

static void finished_take(unsigned number, struct bits *coded) {
    pthread_mutex_lock(&finished.lock);
    while (!finished.slots[number].filled) pthread_cond_wait(&finished.changed, &finished.lock);
    *coded = finished.slots[number].coded;
    pthread_mutex_unlock(&finished.lock);
}

// -- totals

static struct {
    pthread_mutex_t lock;
    unsigned blocks, from, to; // bytes
} totals = {.lock = PTHREAD_MUTEX_INITIALIZER};

// A worker adds what it did when it ends.
static void totals_add(unsigned blocks, unsigned to) {
    pthread_mutex_lock(&totals.lock);
    totals.blocks += blocks;
    totals.from += blocks * BLOCK;
    totals.to += to;
    pthread_mutex_unlock(&totals.lock);
}

static void totals_check(const struct stream *stream) {
    assert(totals.blocks == BLOCKS && totals.from == SIZE);
    assert(totals.to + BLOCKS * HEADER + TRAILER == stream->length);
}

// -- threads

static uint8_t source[SIZE];
static struct stream output;

static void *reader_run(void *unused) {
    for (unsigned number = 0; number < BLOCKS; number++) {
        struct block block;
        block.number = number;
        for (unsigned i = 0; i < BLOCK; i++) block.data[i] = source[number * BLOCK + i];
        queue_put(&block);
    }
    queue_close();
    return unused;
}

static void *worker_run(void *unused) {
    struct block block;
    unsigned blocks = 0, to = 0;
    while (queue_take(&block)) {
        struct bits coded;
        block_encode(block.data, &coded);
        finished_put(block.number, &coded);
        blocks++;
        to += bits_bytes(&coded);
    }
    totals_add(blocks, to);
    return unused;
}

static void *writer_run(void *unused) {
    for (unsigned number = 0; number < BLOCKS; number++) {
        struct bits coded;
        finished_take(number, &coded);
        stream_add_block(&output, number, &coded);
    }
    stream_end(&output);
    return unused;
}

int main(void) {
    pthread_t reader, writer, workers[N];
    struct options options;
    int parsed = options_parse("-j2 -b2", &options);
    assert(parsed && options.workers == 2 && options.block == BLOCK);
    for (unsigned i = 0; i < SIZE; i++) source[i] = (uint8_t)(i == 0 ? input(0, 1) : i % SYMBOLS / 2);
    pthread_create(&reader, NULL, reader_run, NULL);
    for (int i = 0; i < N; i++) pthread_create(&workers[i], NULL, worker_run, NULL);
    pthread_create(&writer, NULL, writer_run, NULL);
    pthread_join(reader, NULL);
    for (int i = 0; i < N; i++) pthread_join(workers[i], NULL);
    pthread_join(writer, NULL);
    stream_check(&output, source);
    totals_check(&output);
    return 0;
}
