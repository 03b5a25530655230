// what: calls that work though the types of the functions differ: pointers to other objects, K&R, start routines, results
// expect: assert=ok memsafety=ok
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

struct node { int value; };
static int calls;
static void release(struct node *node) { calls += node->value; }
static int old_style();
static int old_style(a, b) int a; int b; { return a - b; }
static void start(void) { calls++; }
static long result_is_not_used(int x) { return x; }
static int by_value(const int *a, const int *b) { return *a - *b; }
static void *identity(void *p) { return p; }

int main(void) {
    struct node node = {3};
    void (*destroy)(void *) = (void (*)(void *))release;
    destroy(&node);
    int (*unprototyped)() = old_style;
    assert(unprototyped(5, 2) == 3);
    pthread_t thread;
    pthread_create(&thread, NULL, (void *(*)(void *))start, NULL);
    pthread_join(thread, NULL);
    assert(calls == 4);
    void (*ignored)(int) = (void (*)(int))result_is_not_used;
    ignored(1);
    int numbers[3] = {3, 1, 2};
    qsort(numbers, 3, sizeof *numbers, (int (*)(const void *, const void *))by_value);
    assert(numbers[0] == 1);
    uintptr_t (*as_number)(uintptr_t) = (uintptr_t (*)(uintptr_t))identity;
    assert(as_number(7) == 7);
    return 0;
}
