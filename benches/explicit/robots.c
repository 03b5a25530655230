/* Two robots cross a board of N x N cells once, row by row. One steps on the cells of even columns, the other on those
 * of odd columns, and both on the diagonal: that is where they may meet, and nowhere else. A cell knows who stands on
 * it. With -DASTRAY one of them steps on one more cell than it should.
 *
 * After the description of an example of Gueta, Flanagan, Yahav and Sagiv (Cartesian partial-order reduction, SPIN
 * 2007) in Zaks and Joshi (SPIN 2008); the code is ours. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 4
#endif
static atomic_int board[N][N];

static int on_its_way(int robot, int row, int column) {
#ifdef ASTRAY
    if (robot == 1 && row == N - 1 && column == 0) return 1;
#endif
    return row == column || column % 2 == robot;
}

static void *robot(void *argument) {
    int me = (int)(long)argument, mark = 1 << me;
    atomic_int *stands_on = NULL;
    for (int row = 0; row < N; row++) {
        for (int column = 0; column < N; column++) {
            if (!on_its_way(me, row, column)) continue;
            int there = atomic_fetch_or(&board[row][column], mark);
            assert((there & mark) == 0);
            if (there) assert(row == column);
            if (stands_on) atomic_fetch_and(stands_on, ~mark);
            stands_on = &board[row][column];
        }
    }
    atomic_fetch_and(stands_on, ~mark);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, robot, (void *)0);
    pthread_create(&b, NULL, robot, (void *)1);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    for (int row = 0; row < N; row++)
        for (int column = 0; column < N; column++) assert(board[row][column] == 0);
    return 0;
}
