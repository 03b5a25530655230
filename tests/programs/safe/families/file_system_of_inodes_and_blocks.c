// what: threads take an inode and search a free block, each under its mutex; few of them meet
// expect: assert=ok
// options: -DTHREADS=3
#include <pthread.h>

#ifndef THREADS
#define THREADS 3
#endif
enum { INODES = 32, BLOCKS = 26 };
static pthread_mutex_t inode_lock[INODES], block_lock[BLOCKS];
static int inode_block[INODES], block_used[BLOCKS];
static void *make(void *argument) {
    long me = (long)argument, i = me % INODES;
    pthread_mutex_lock(&inode_lock[i]);
    if (inode_block[i] == 0) {
        long b = i * 2 % BLOCKS;
        for (int found = 0; !found; b = (b + 1) % BLOCKS) {
            pthread_mutex_lock(&block_lock[b]);
            if (!block_used[b]) {
                block_used[b] = 1;
                inode_block[i] = (int)b + 1;
                found = 1;
            }
            pthread_mutex_unlock(&block_lock[b]);
        }
    }
    pthread_mutex_unlock(&inode_lock[i]);
    return NULL;
}

int main(void) {
    pthread_t threads[THREADS];
    for (int i = 0; i < INODES; i++) pthread_mutex_init(&inode_lock[i], NULL);
    for (int i = 0; i < BLOCKS; i++) pthread_mutex_init(&block_lock[i], NULL);
    for (long i = 0; i < THREADS; i++) pthread_create(&threads[i], NULL, make, (void *)i);
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    return 0;
}
