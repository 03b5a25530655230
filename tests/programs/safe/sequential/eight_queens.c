// what: backtracking over bit masks: the 92 solutions of eight queens on 6 and 8 rows
// expect: assert=ok
// output: 4 92\n
#include <stdio.h>

static int solve(unsigned columns, unsigned left, unsigned right, unsigned all) {
    if (columns == all) return 1;
    int count = 0;
    for (unsigned free = all & ~(columns | left | right); free; free &= free - 1) {
        unsigned bit = free & -free;
        count += solve(columns | bit, (left | bit) << 1, (right | bit) >> 1, all);
    }
    return count;
}

int main(void) {
    printf("%d %d\n", solve(0, 0, 0, 63), solve(0, 0, 0, 255));
    return 0;
}
