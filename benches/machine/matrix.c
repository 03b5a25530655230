// Multiplication of matrices of doubles, through pointers to the caller's arrays.
#include <stdio.h>

// LLVM's interpreter does not know the fused operation.
#pragma STDC FP_CONTRACT OFF

enum { N = 90 };

static void multiply(double a[N][N], double b[N][N], double c[N][N]) {
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            double sum = 0;
            for (int k = 0; k < N; k++) sum += a[i][k] * b[k][j];
            c[i][j] = sum;
        }
}

int main(void) {
    double a[N][N], b[N][N], c[N][N];
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            a[i][j] = i + j * 0.5;
            b[i][j] = i - j * 0.25;
        }
    double trace = 0;
    for (int round = 0; round < 3; round++) {
        multiply(a, b, c);
        for (int i = 0; i < N; i++) trace += c[i][i];
    }
    printf("%.3f\n", trace);
    return 0;
}
