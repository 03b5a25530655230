// what: bit-fields of several widths, signed and unsigned, across storage units
// expect: assert=ok
// output: 3 -13 abcdef 1 123456789a\n3 -13 0 1 123456789b\n
#include <stdio.h>

struct flags {
    unsigned a : 3;
    int b : 5;
    unsigned c : 24;
    unsigned d : 1;
    unsigned long long e : 40;
};

int main(void) {
    struct flags f = {5, -3, 0xabcdef, 1, 0x123456789aull};
    f.a += 6;
    f.b -= 10;
    printf("%u %d %x %u %llx\n", f.a, f.b, f.c, f.d, (unsigned long long)f.e);
    f.c = 0;
    f.e++;
    printf("%u %d %x %u %llx\n", f.a, f.b, f.c, f.d, (unsigned long long)f.e);
    return 0;
}
