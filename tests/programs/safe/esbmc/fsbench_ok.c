// what: inodes and blocks of a small file system, each with its mutex
// expect: assert=ok
#include <assert.h>
#include <pthread.h>

enum { INODES = 2, BLOCKS = 3, THREADS = 2 };
static pthread_mutex_t inode_lock[INODES], block_lock[BLOCKS];
static int inode[INODES], busy[BLOCKS];
static void *create(void *argument) {
    int i = (int)(long)argument % INODES;
    pthread_mutex_lock(&inode_lock[i]);
    if (inode[i] == 0)
        for (int b = i; b < BLOCKS; b++) {
            pthread_mutex_lock(&block_lock[b]);
            if (!busy[b]) {
                busy[b] = 1;
                inode[i] = b + 1;
                pthread_mutex_unlock(&block_lock[b]);
                break;
            }
            pthread_mutex_unlock(&block_lock[b]);
        }
    pthread_mutex_unlock(&inode_lock[i]);
    return NULL;
}

int main(void) {
    pthread_t threads[THREADS];
    for (int i = 0; i < INODES; i++) pthread_mutex_init(&inode_lock[i], NULL);
    for (int i = 0; i < BLOCKS; i++) pthread_mutex_init(&block_lock[i], NULL);
    for (long i = 0; i < THREADS; i++) pthread_create(&threads[i], NULL, create, (void *)i);
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    assert(inode[0] != inode[1] && inode[0] && inode[1]);
    return 0;
}
