// what: the error of the last request is kept beside the lock of the log
// lint: race 27 41
#include <pthread.h>
#include <stddef.h>

enum { REQUESTS = 2200, BROKEN = 1931, ODD = 1644 };

struct log {
    pthread_mutex_t lock;
    unsigned long lines;
    int last_error;
};

static struct log server = {PTHREAD_MUTEX_INITIALIZER, 0, 0};

static void count(struct log *log) {
    pthread_mutex_lock(&log->lock);
    log->lines++;
    pthread_mutex_unlock(&log->lock);
}

static void *serve_files(void *unused) {
    (void)unused;
    for (int request = 0; request < REQUESTS; request++) {
        count(&server);
        if (request == BROKEN)
            server.last_error = 5;
    }
    return NULL;
}

static void *serve_names(void *unused) {
    int answers = 0;
    (void)unused;
    for (int request = 0; request < REQUESTS; request++) {
        pthread_mutex_lock(&server.lock);
        server.lines++;
        pthread_mutex_unlock(&server.lock);
        if (request != ODD)
            continue;
        if (server.last_error != 0)
            answers++;
    }
    return answers ? unused : NULL;
}

int main(void) {
    pthread_t files, names;
    pthread_create(&files, NULL, serve_files, NULL);
    pthread_create(&names, NULL, serve_names, NULL);
    pthread_join(files, NULL);
    pthread_join(names, NULL);
    return 0;
}
