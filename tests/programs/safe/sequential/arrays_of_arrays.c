// what: matrices, pointers to rows, and initialisers of several dimensions
// expect: assert=ok
// output: 4 12 18 6\nthree 18\n
#include <stdio.h>

static void multiply(int n, const int a[3][3], const int b[3][3], int out[3][3]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            out[i][j] = 0;
            for (int k = 0; k < n; k++) out[i][j] += a[i][k] * b[k][j];
        }
}

int main(void) {
    int a[3][3] = {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}}, b[3][3] = {{1}, {0, 1}, {0, 0, 2}}, c[3][3];
    multiply(3, a, b, c);
    int (*row)[3] = c + 1;
    printf("%d %d %d %d\n", (*row)[0], (*row)[2], row[1][2], c[0][2]);
    char names[][6] = {"one", "two", "three"};
    printf("%s %d\n", names[2], (int)sizeof names);
    return 0;
}
