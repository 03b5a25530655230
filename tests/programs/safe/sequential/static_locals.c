// what: static locals keep their values between calls, each function its own
// expect: assert=ok
// output: 10 1 11 3 12 4 13 6 \n
#include <stdio.h>

static int next(void) {
    static int counter = 10;
    return counter++;
}
static int other(void) {
    static int counter;
    static const int steps[] = {1, 2, 4};
    counter += steps[counter % 3];
    return counter;
}

int main(void) {
    for (int i = 0; i < 4; i++) printf("%d %d ", next(), other());
    printf("\n");
    return 0;
}
