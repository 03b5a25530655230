// what: switch with fall through, ranges of cases, default in the middle, and a loop inside
// expect: assert=ok
// output: 11 10 -1 7 5 interleaved\n
#include <stdio.h>

static int kind(int c) {
    int result = 0;
    switch (c) {
    case 'a': result += 1;
    case 'b': result += 10; break;
    default: result = -1; break;
    case '0' ... '9': return c - '0';
    case -5: result = 5;
    }
    return result;
}

static void copy(char *to, const char *from, int count) {
    int n = (count + 3) / 4;
    switch (count % 4) {
    case 0: do { *to++ = *from++;
    case 3: *to++ = *from++;
    case 2: *to++ = *from++;
    case 1: *to++ = *from++;
        } while (--n > 0);
    }
}

int main(void) {
    char text[12] = {0};
    copy(text, "interleaved", 11);
    printf("%d %d %d %d %d %s\n", kind('a'), kind('b'), kind('c'), kind('7'), kind(-5), text);
    return 0;
}
