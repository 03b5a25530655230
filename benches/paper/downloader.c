// A downloader that fetches one file in segments, a thread for each, in the style of aget. The server is simulated: it sends
// what a key and the offset determine, in pieces as large as it likes, and a connection may stall, after which it is polled
// again. A monitor thread waits for an interrupt or for the end. On an interrupt it stops the
// segments and writes a record of what is there, from which a second run resumes. At the end the file is compared with what
// the server has.
//
//   options   text to what was asked for
//   url       text to host, port, path
//   request   the header of a request for a range, and of its answer
//   server    connections and what is sent over them
//   record    segments to bytes with a checksum, and back
//   progress  what all threads share, under one lock
//   download  workers, monitor, one run
//
// With -DBAD the monitor writes the record without the lock, while segments still go on: the number of bytes that it states can
// differ from what its segments have.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "input.h"

#ifndef N
#define N 2 // segments
#endif

enum { PIECE = 2, FILE_SIZE = N * PIECE, HEADER = 64, HOST = 16, PATH = 16 };

// -- url

struct url {
    char host[HOST], path[PATH];
    int port;
};

enum url_error { URL_OK, URL_SCHEME, URL_HOST, URL_PORT, URL_PATH };

static int is_digit(char c) { return c >= '0' && c <= '9'; }

static int is_host_character(char c) {
    return (c >= 'a' && c <= 'z') || is_digit(c) || c == '.' || c == '-';
}

static enum url_error url_parse(const char *text, struct url *url) {
    static const char scheme[] = "http://";
    size_t at = 0, length = 0;
    while (scheme[at]) {
        if (text[at] != scheme[at]) return URL_SCHEME;
        at++;
    }
    while (is_host_character(text[at])) {
        if (length + 1 >= HOST) return URL_HOST;
        url->host[length++] = text[at++];
    }
    if (length == 0) return URL_HOST;
    url->host[length] = 0;
    url->port = 80;
    if (text[at] == ':') {
        at++;
        if (!is_digit(text[at])) return URL_PORT;
        url->port = 0;
        while (is_digit(text[at])) {
            url->port = url->port * 10 + (text[at++] - '0');
            if (url->port > 65535) return URL_PORT;
        }
    }
    length = 0;
    if (text[at] == 0) url->path[length++] = '/';
    else if (text[at] != '/') return URL_PATH;
    while (text[at]) {
        if (length + 1 >= PATH) return URL_PATH;
        url->path[length++] = text[at++];
    }
    url->path[length] = 0;
    return URL_OK;
}

// -- options: as on the command line, "-n2 -r1 http://..."

struct options {
    int segments, retries;
    struct url url;
};

static const char *option_number(const char *text, int *number) {
    if (!is_digit(*text)) return NULL;
    for (*number = 0; is_digit(*text); text++) {
        if (*number > 1000) return NULL;
        *number = *number * 10 + (*text - '0');
    }
    return text;
}

static int options_parse(const char *text, struct options *options) {
    options->segments = 1;
    options->retries = 0;
    while (*text == '-') {
        int *number = NULL;
        if (text[1] == 'n') number = &options->segments;
        if (text[1] == 'r') number = &options->retries;
        if (!number || !(text = option_number(text + 2, number))) return 0;
        while (*text == ' ') text++;
    }
    return options->segments > 0 && url_parse(text, &options->url) == URL_OK;
}

// -- request

struct text {
    char bytes[HEADER];
    size_t length;
};

static void text_add(struct text *text, const char *part) {
    for (; *part; part++) {
        assert(text->length + 1 < HEADER);
        text->bytes[text->length++] = *part;
    }
    text->bytes[text->length] = 0;
}

static void text_add_number(struct text *text, unsigned number) {
    char digits[11];
    int at = 10;
    digits[10] = 0;
    do {
        digits[--at] = (char)('0' + number % 10);
        number /= 10;
    } while (number > 0);
    text_add(text, digits + at);
}

struct range {
    unsigned first, last; // both included, as in the header
};

static void request_write(struct text *text, const struct url *url, struct range range) {
    text->length = 0;
    text_add(text, "GET ");
    text_add(text, url->path);
    text_add(text, " HTTP/1.1\r\nRange: bytes=");
    text_add_number(text, range.first);
    text_add(text, "-");
    text_add_number(text, range.last);
    text_add(text, "\r\n\r\n");
}

// Skips up to the text, and gives what follows it.
static const char *after(const char *text, const char *searched) {
    for (; *text; text++) {
        size_t i = 0;
        while (searched[i] && text[i] == searched[i]) i++;
        if (!searched[i]) return text + i;
    }
    return NULL;
}

static const char *number_read(const char *text, unsigned *number) {
    if (!is_digit(*text)) return NULL;
    for (*number = 0; is_digit(*text); text++) {
        if (*number > 100000) return NULL;
        *number = *number * 10 + (unsigned)(*text - '0');
    }
    return text;
}

static int request_read(const char *text, struct range *range) {
    text = after(text, "bytes=");
    if (!text) return 0;
    text = number_read(text, &range->first);
    if (!text || *text != '-') return 0;
    text = number_read(text + 1, &range->last);
    return text && range->first <= range->last;
}

// The answer: its status, and how many bytes follow.
struct answer {
    unsigned status, length;
};

static void answer_write(struct text *text, struct answer answer) {
    text->length = 0;
    text_add(text, "HTTP/1.1 ");
    text_add_number(text, answer.status);
    text_add(text, "\r\nContent-Length: ");
    text_add_number(text, answer.length);
    text_add(text, "\r\n\r\n");
}

static int answer_read(const char *text, struct answer *answer) {
    text = after(text, "HTTP/1.1 ");
    if (!text || !(text = number_read(text, &answer->status))) return 0;
    text = after(text, "Content-Length: ");
    if (!text || !(text = number_read(text, &answer->length))) return 0;
    return after(text, "\r\n\r\n") != NULL;
}

// -- server

struct connection {
    unsigned next, end;
};

static unsigned char server_key;

static unsigned char server_byte(unsigned offset) {
    return (unsigned char)(server_key ^ (offset * 29 + 7));
}

static void server_connect(struct connection *connection, const struct text *request, struct text *answer) {
    struct answer partial = {206, 0}, malformed = {400, 0}, outside = {416, 0};
    struct range range;
    if (!request_read(request->bytes, &range)) {
        answer_write(answer, malformed);
        return;
    }
    if (range.last >= FILE_SIZE) {
        answer_write(answer, outside);
        return;
    }
    connection->next = range.first;
    connection->end = range.last + 1;
    partial.length = connection->end - connection->next;
    answer_write(answer, partial);
}

// At least one byte; none if the connection stalls.
static unsigned server_receive(struct connection *connection, unsigned char *bytes, unsigned most, int may_stall) {
    unsigned left = connection->end - connection->next, count = 0;
    if (may_stall && input(0, 1)) return 0;
    if (left > most) left = most;
    if (left > 1 && input(0, 1)) left = 1;
    for (; count < left; count++) bytes[count] = server_byte(connection->next++);
    return count;
}

// -- record

enum { RECORD = 4 + 3 * N };

struct segment {
    unsigned first, next, end; // what is there: from first to next
};

struct record {
    unsigned done;
    struct segment segments[N];
};

static unsigned char record_checksum(const unsigned char *bytes) {
    unsigned sum = 1, weighted = 0;
    for (int i = 0; i < RECORD - 1; i++) {
        sum = (sum + bytes[i]) & 15;
        weighted = (weighted + sum) & 15;
    }
    return (unsigned char)(weighted << 4 | sum);
}

static void record_write(const struct record *record, unsigned char *bytes) {
    size_t at = 0;
    bytes[at++] = 'A';
    bytes[at++] = N;
    bytes[at++] = (unsigned char)record->done;
    for (int i = 0; i < N; i++) {
        bytes[at++] = (unsigned char)record->segments[i].first;
        bytes[at++] = (unsigned char)record->segments[i].next;
        bytes[at++] = (unsigned char)record->segments[i].end;
    }
    assert(at == RECORD - 1);
    bytes[at] = record_checksum(bytes);
}

static int record_read(struct record *record, const unsigned char *bytes) {
    size_t at = 0;
    if (bytes[at++] != 'A' || bytes[at++] != N) return 0;
    if (bytes[RECORD - 1] != record_checksum(bytes)) return 0;
    record->done = bytes[at++];
    for (int i = 0; i < N; i++) {
        struct segment *segment = &record->segments[i];
        segment->first = bytes[at++];
        segment->next = bytes[at++];
        segment->end = bytes[at++];
        if (segment->first > segment->next || segment->next > segment->end) return 0;
        if (segment->end > FILE_SIZE) return 0;
    }
    return 1;
}

// What a record states must agree: the bytes that are done are those of its segments, and these cover the file.
static void record_check(const struct record *record) {
    unsigned done = 0, covered = 0;
    for (int i = 0; i < N; i++) {
        assert(record->segments[i].first == covered);
        done += record->segments[i].next - record->segments[i].first;
        covered = record->segments[i].end;
    }
    assert(covered == FILE_SIZE);
    assert(done == record->done);
}

// -- progress

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static struct {
    struct record record;
    int active;  // segments that go on
    int stopped; // none shall go on
    int failed;  // connections that could not be made, or stalled too often
} progress;
static unsigned char file[FILE_SIZE];
static unsigned char saved[RECORD];
static struct options options;

static void progress_begin(const struct record *record) {
    progress.record = *record;
    progress.active = 0;
    progress.stopped = 0;
    progress.failed = 0;
    for (int i = 0; i < N; i++) progress.active += record->segments[i].next < record->segments[i].end;
}

static void progress_received(int number, unsigned count) {
    pthread_mutex_lock(&lock);
    progress.record.segments[number].next += count;
    progress.record.done += count;
    assert(progress.record.done <= FILE_SIZE);
    pthread_mutex_unlock(&lock);
}

static int progress_is_stopped(void) {
    pthread_mutex_lock(&lock);
    int stopped = progress.stopped;
    pthread_mutex_unlock(&lock);
    return stopped;
}

static void progress_ended(int failed) {
    pthread_mutex_lock(&lock);
    assert(progress.active > 0);
    progress.active--;
    progress.failed += failed;
    if (progress.active == 0) pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
}

static void progress_save(void) {
    static struct record copy;
    copy.done = progress.record.done;
    for (int i = 0; i < N; i++) copy.segments[i] = progress.record.segments[i];
    record_write(&copy, saved);
}

// -- download

struct worker {
    pthread_t thread;
    int number;
    struct segment segment; // as it was at the start of the run
};

static int worker_connect(struct connection *connection, unsigned next, unsigned end) {
    struct text request, text;
    struct range range = {next, end - 1};
    struct answer answer;
    request_write(&request, &options.url, range);
    server_connect(connection, &request, &text);
    if (!answer_read(text.bytes, &answer)) return 0;
    return answer.status == 206 && answer.length == end - next;
}

// Downloads up to the end of the segment; whether that failed.
static int worker_download(struct worker *worker) {
    struct connection connection = {0};
    unsigned next = worker->segment.next, end = worker->segment.end;
    int retries = 0;
    if (!worker_connect(&connection, next, end)) return 1;
    while (next < end && !progress_is_stopped()) {
        unsigned char bytes[PIECE];
        unsigned count = server_receive(&connection, bytes, PIECE, retries < options.retries);
        if (count == 0) {
            if (retries++ == options.retries) return 1;
            continue;
        }
        // No other thread writes this part of the file.
        for (unsigned i = 0; i < count; i++) file[next++] = bytes[i];
        progress_received(worker->number, count);
    }
    return 0;
}

static void *worker_run(void *argument) {
    struct worker *worker = argument;
    progress_ended(worker_download(worker));
    return NULL;
}

// Simulates the signal: an input decides whether it comes at all; it may come at any time.
static void *monitor_run(void *argument) {
    int *interrupt = argument;
    if (*interrupt) {
        pthread_mutex_lock(&lock);
        progress.stopped = 1;
#ifdef BAD
        pthread_mutex_unlock(&lock);
        progress_save();
#else
        while (progress.active > 0) pthread_cond_wait(&changed, &lock);
        progress_save();
        pthread_mutex_unlock(&lock);
#endif
        return NULL;
    }
    pthread_mutex_lock(&lock);
    while (progress.active > 0) pthread_cond_wait(&changed, &lock);
    progress_save();
    pthread_mutex_unlock(&lock);
    return NULL;
}

// One run from a record; the next one begins with what was saved.
static int download(const struct record *record, int interrupt) {
    static struct worker workers[N];
    static int started[N];
    pthread_t monitor;
    progress_begin(record);
    for (int i = 0; i < N; i++) {
        workers[i].number = i;
        workers[i].segment = record->segments[i];
        started[i] = record->segments[i].next < record->segments[i].end;
        if (started[i]) pthread_create(&workers[i].thread, NULL, worker_run, &workers[i]);
    }
    pthread_create(&monitor, NULL, monitor_run, &interrupt);
    for (int i = 0; i < N; i++)
        if (started[i]) pthread_join(workers[i].thread, NULL);
    pthread_join(monitor, NULL);
    return progress.failed;
}

static void record_begin(struct record *record) {
    record->done = 0;
    for (unsigned i = 0; i < N; i++) {
        record->segments[i].first = i * PIECE;
        record->segments[i].next = i * PIECE;
        record->segments[i].end = (i + 1) * PIECE;
    }
}

static void file_check(const struct record *record) {
    for (unsigned at = 0; at < FILE_SIZE; at++) {
        const struct segment *segment = &record->segments[at / PIECE];
        if (at >= segment->first && at < segment->next) assert(file[at] == server_byte(at));
    }
}

int main(void) {
    static struct record record;
    int parsed = options_parse("-n2 -r1 http://host.org:8080/f", &options);
    assert(parsed && options.segments == 2 && options.retries == 1 && options.url.port == 8080);
    assert(strcmp(options.url.host, "host.org") == 0 && strcmp(options.url.path, "/f") == 0);
    server_key = input(0, 1) ? 0x5a : 0xa5;

    record_begin(&record);
    int interrupt = input(0, 1);
    int failed = download(&record, interrupt);
    assert(record_read(&record, saved));
    record_check(&record);
    file_check(&record);
    assert(failed == 0);
    if (!interrupt) assert(record.done == FILE_SIZE);
#ifdef RESUME
    if (record.done < FILE_SIZE) {
        failed = download(&record, 0);
        assert(failed == 0 && record_read(&record, saved));
        record_check(&record);
        file_check(&record);
        assert(record.done == FILE_SIZE);
    }
#endif
    return 0;
}
