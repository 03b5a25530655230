// what: a structure on the heap with a mutex is filled in, from an input, before the threads that share it are created
// expect: assert=ok race=ok deadlock=ok memsafety=ok
// proved: order
// explicit: all=unknown (32 bits of input)
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
struct account {
    pthread_mutex_t lock;
    int balance;
    struct account *other;
};
static void *move(void *argument) {
    struct account *from = argument;
    pthread_mutex_lock(&from->lock);
    from->balance ^= 5;
    from->balance ^= 5;
    pthread_mutex_unlock(&from->lock);
    return 0;
}
int main(void) {
    struct account *first = malloc(sizeof *first), *second = malloc(sizeof *second);
    int input = __VERIFIER_nondet_int();
    for (struct account *at = first;; at = second) {
        pthread_mutex_init(&at->lock, 0);
        at->balance = input;
        at->other = at == first ? second : first;
        if (at == second) break;
    }
    pthread_t one, two, three;
    pthread_create(&one, 0, move, first);
    pthread_create(&two, 0, move, first->other);
    pthread_create(&three, 0, move, first);
    pthread_join(one, 0);
    pthread_join(two, 0);
    pthread_join(three, 0);
    assert(first->balance == input && first->other->balance == input);
}
