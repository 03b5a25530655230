// Eight queens and more by recursion: calls, small local arrays behind pointers.
#include <stdio.h>

static int place(int n, int row, int *columns) {
    if (row == n) return 1;
    int solutions = 0;
    for (int column = 0; column < n; column++) {
        int free = 1;
        for (int other = 0; other < row && free; other++) {
            int distance = columns[other] - column;
            if (distance == 0 || distance == row - other || distance == other - row) free = 0;
        }
        if (free) {
            columns[row] = column;
            solutions += place(n, row + 1, columns);
        }
    }
    return solutions;
}

int main(void) {
    int columns[16];
    for (int round = 0; round < 4; round++) printf("%d\n", place(9, 0, columns));
    return 0;
}
