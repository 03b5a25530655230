// what: compound literals, designated initialisers, and what they leave zero
// expect: assert=ok
// output: 0 5 1 0 2\n10 16 8\n3 0 1 9\n
#include <stdio.h>

struct point { int x, y, z; };
static int sum(const int *values, int count) {
    int total = 0;
    for (int i = 0; i < count; i++) total += values[i];
    return total;
}
static struct point table[] = {[2] = {.z = 9, .x = 1}, [0] = {1, 2, 3}};

int main(void) {
    struct point p = {.y = 5}, *q = &(struct point){.x = 1, .z = 2};
    int sparse[10] = {[3] = 7, 8, [9] = 1};
    printf("%d %d %d %d %d\n", p.x, p.y, q->x, q->y, q->z);
    printf("%d %d %d\n", sum((int[]){1, 2, 3, 4}, 4), sum(sparse, 10), sparse[4]);
    printf("%d %d %d %d\n", (int)(sizeof table / sizeof *table), table[1].x, table[2].x, table[2].z);
    return 0;
}
