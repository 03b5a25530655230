// what: order of evaluation where C defines it: comma, && and ||, ?:
// expect: assert=ok
// output: 5 0 1 2 123579\n
#include <stdio.h>

static int trace;
static int note(int digit, int value) {
    trace = trace * 10 + digit;
    return value;
}

int main(void) {
    int a = (note(1, 0), note(2, 5));
    int b = note(3, 0) && note(4, 1);
    int c = note(5, 1) || note(6, 1);
    int d = note(7, 0) ? note(8, 1) : note(9, 2);
    printf("%d %d %d %d %d\n", a, b, c, d, trace);
    return 0;
}
