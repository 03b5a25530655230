// what: calloc gives zeros, realloc keeps what was there, aligned_alloc aligns
// expect: assert=ok
// output: 0 7 9\n7\ncopied cop\n0 1 1\n
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    int *a = calloc(4, sizeof *a);
    a[3] = 7;
    a = realloc(a, 8 * sizeof *a);
    a[7] = 9;
    printf("%d %d %d\n", a[0], a[3], a[7]);
    a = realloc(a, 4 * sizeof *a);
    printf("%d\n", a[3]);
    char *copy = strdup("copied"), *part = strndup("copied", 3);
    printf("%s %s\n", copy, part);
    void *block = NULL, *aligned = aligned_alloc(64, 128);
    int error = posix_memalign(&block, 32, 10);
    printf("%d %d %d\n", error, (uintptr_t)block % 32 == 0, (uintptr_t)aligned % 64 == 0);
    free(block);
    free(aligned);
    free(copy);
    free(part);
    free(a);
    free(NULL);
    return 0;
}
