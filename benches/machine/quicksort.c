// Quicksort of an array on the heap, by recursion.
#include <stdio.h>
#include <stdlib.h>

static void sort(int *a, int low, int high) {
    if (low >= high) return;
    int pivot = a[(low + high) / 2], i = low, j = high;
    while (i <= j) {
        while (a[i] < pivot) i++;
        while (a[j] > pivot) j--;
        if (i <= j) {
            int t = a[i];
            a[i++] = a[j];
            a[j--] = t;
        }
    }
    sort(a, low, j);
    sort(a, i, high);
}

int main(void) {
    enum { N = 100000 };
    int *a = malloc(N * sizeof *a);
    unsigned seed = 12345;
    for (int i = 0; i < N; i++) {
        seed = seed * 1103515245u + 12345u;
        a[i] = (int)(seed >> 8);
    }
    sort(a, 0, N - 1);
    for (int i = 1; i < N; i++)
        if (a[i - 1] > a[i]) return 1;
    printf("%d %d %d\n", a[0], a[N / 2], a[N - 1]);
    free(a);
    return 0;
}
