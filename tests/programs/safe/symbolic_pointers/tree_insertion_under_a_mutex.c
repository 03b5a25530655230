// what: two threads insert keys, which are inputs, into a tree under a mutex
// expect: assert=ok memsafety=ok
// explicit: all=unknown (an input too wide to try: rule 9)
#include <assert.h>
#include <pthread.h>
#include <raddle.h>
#include <stdatomic.h>

struct node {
    int key;
    struct node *_Atomic child[2];
};
static struct node root = {0}, fresh[2];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void *insert(void *argument) {
    struct node *mine = argument;
    int side = mine->key > root.key;
    pthread_mutex_lock(&mutex);
    if (!root.child[side]) root.child[side] = mine;
    else mine->child[1 - side] = root.child[side], root.child[side] = mine;
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) {
        fresh[i].key = raddle_any_int();
        pthread_create(&threads[i], NULL, insert, &fresh[i]);
    }
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    int nodes = 0;
    for (int side = 0; side < 2; side++)
        for (struct node *n = root.child[side]; n; n = n->child[1 - side]) nodes++;
    assert(nodes == 2);
    return 0;
}
