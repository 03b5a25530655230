// what: arrays whose size is known only at run time, also of two dimensions, in a loop
// expect: assert=ok
// output: 1:1:2 2:36:6 3:138:12 4:340:20 \n
#include <stdio.h>

static int sum(int rows, int columns, int table[rows][columns]) {
    int total = 0;
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++) total += table[i][j];
    return total;
}

int main(void) {
    for (int n = 1; n <= 4; n++) {
        int table[n][n + 1];
        for (int i = 0; i < n; i++)
            for (int j = 0; j <= n; j++) table[i][j] = i * 10 + j;
        printf("%d:%d:%d ", n, sum(n, n + 1, table), (int)(sizeof table / sizeof(int)));
    }
    printf("\n");
    return 0;
}
