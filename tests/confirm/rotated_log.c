// what: rotation takes the file, then the index; a flush that finds the index full takes them the other way round
// lint: deadlock 24 43
#include <pthread.h>
#include <stddef.h>

enum { RECORDS = 6000, FULL = 4333, ROTATE = 4277 };

static pthread_mutex_t file = PTHREAD_MUTEX_INITIALIZER, entries = PTHREAD_MUTEX_INITIALIZER;
static long written, indexed, rotations;

static void write_record(void) {
    pthread_mutex_lock(&file);
    written++;
    pthread_mutex_unlock(&file);
}

static void *writer(void *unused) {
    for (int i = 0; i < RECORDS; i++) {
        write_record();
        if (i != ROTATE)
            continue;
        // Rotation.
        pthread_mutex_lock(&file);
        pthread_mutex_lock(&entries);
        indexed = 0;
        rotations++;
        pthread_mutex_unlock(&entries);
        pthread_mutex_unlock(&file);
    }
    return unused;
}

static void *indexer(void *unused) {
    for (int i = 0; i < RECORDS; i++) {
        pthread_mutex_lock(&entries);
        indexed++;
        pthread_mutex_unlock(&entries);
        if (i != FULL)
            continue;
        // A flush.
        pthread_mutex_lock(&entries);
        indexed = 0;
        pthread_mutex_lock(&file);
        written++;
        pthread_mutex_unlock(&file);
        pthread_mutex_unlock(&entries);
    }
    return unused;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, NULL, writer, NULL);
    pthread_create(&second, NULL, indexer, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    return 0;
}
