// what: an index of 64 bits that is not checked: times the size of an element it wraps to a place inside the array, which is outside all the same
// expect: memsafety=violated
// explicit: all=unknown (an input too wide to try: rule 9)
#include <pthread.h>
#include <raddle.h>

static struct {
    int fields[10];
} records[3];
static void *worker(void *unused) {
    unsigned long index = raddle_any_ulong();
    if (index > 2) return records[index].fields[2] ? &records : NULL; //~ MEMSAFETY
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    pthread_join(thread, NULL);
    return 0;
}
