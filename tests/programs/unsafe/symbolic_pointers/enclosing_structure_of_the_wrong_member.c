// what: the enclosing structure is computed from the offset of another member: the access is before the block
// expect: memsafety=violated
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

struct link {
    struct link *next;
};
static struct job {
    int number;
    struct link link;
    struct link spare;
} job = {5, {NULL}, {NULL}};
static struct link *_Atomic queue;
static void *producer(void *unused) {
    queue = &job.link;
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, producer, NULL);
    struct link *seen = queue;
    if (seen) {
        struct job *whole = (struct job *)((char *)seen - offsetof(struct job, spare));
        assert(whole->number == 5); //~ MEMSAFETY
    }
    pthread_join(thread, NULL);
    return 0;
}
