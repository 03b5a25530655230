// what: a section reads an element by an index, and on a branch that a later read decides two elements in any case
// expect: assert=ok race=ok
// proved: order
#include <assert.h>
#include <pthread.h>
#include <raddle.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
static int values[2], mode;
static void *reader(void *unused) {
    unsigned index = raddle_any_bool();
    __VERIFIER_atomic_begin();
    int seen = values[index];
    if (mode) seen = values[0];
    if (mode == 2) seen += values[1];
    values[index] = seen;
    __VERIFIER_atomic_end();
    return NULL;
}
static void *writer(void *unused) {
    __VERIFIER_atomic_begin();
    mode = 2;
    values[0] = 5;
    values[1] = 6;
    __VERIFIER_atomic_end();
    return NULL;
}

int main(void) {
    pthread_t one, other;
    pthread_create(&one, NULL, reader, NULL);
    pthread_create(&other, NULL, writer, NULL);
    pthread_join(one, NULL);
    pthread_join(other, NULL);
    assert(values[0] + values[1] == 11 || values[0] + values[1] == 17 || values[0] + values[1] == 16);
    return 0;
}
