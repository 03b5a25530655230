// N threads each give a block to an inode, both under locks: 32 inodes, 26 blocks; from the fourteenth thread on, two start
// to search at the same block. Flanagan and Godefroid's example (POPL 2005).
#include <pthread.h>

#ifndef N
#define N 14
#endif
#define INODES 32
#define BLOCKS 26

static pthread_mutex_t inode_lock[INODES], block_lock[BLOCKS];
static int block_of[INODES], taken[BLOCKS];

static void *give(void *own) {
    int inode = (int)(long)own % INODES;
    pthread_mutex_lock(&inode_lock[inode]);
    int block = inode * 2 % BLOCKS;
    while (block_of[inode] == 0) {
        pthread_mutex_lock(&block_lock[block]);
        if (!taken[block]) {
            taken[block] = 1;
            block_of[inode] = block + 1;
        }
        pthread_mutex_unlock(&block_lock[block]);
        block = (block + 1) % BLOCKS;
    }
    pthread_mutex_unlock(&inode_lock[inode]);
    return NULL;
}

int main(void) {
    pthread_t threads[N];
    for (int i = 0; i < INODES; i++) pthread_mutex_init(&inode_lock[i], NULL);
    for (int i = 0; i < BLOCKS; i++) pthread_mutex_init(&block_lock[i], NULL);
    for (long i = 0; i < N; i++) pthread_create(&threads[i], NULL, give, (void *)i);
    for (int i = 0; i < N; i++) pthread_join(threads[i], NULL);
    return 0;
}
