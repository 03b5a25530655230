// what: deep and mutual recursion
// expect: assert=ok
// output: 9 1023 0 1\n
#include <stdio.h>

static int ackermann(int m, int n) {
    if (m == 0) return n + 1;
    if (n == 0) return ackermann(m - 1, 1);
    return ackermann(m - 1, ackermann(m, n - 1));
}
static int hanoi(int n) { return n == 0 ? 0 : 2 * hanoi(n - 1) + 1; }
static int is_odd(int n);
static int is_even(int n) { return n == 0 ? 1 : is_odd(n - 1); }
static int is_odd(int n) { return n == 0 ? 0 : is_even(n - 1); }

int main(void) {
    printf("%d %d %d %d\n", ackermann(2, 3), hanoi(10), is_even(31), is_odd(31));
    return 0;
}
