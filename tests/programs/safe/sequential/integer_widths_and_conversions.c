// what: integers of all widths keep, cut and extend their values as C says
// expect: assert=ok
// output: -56 255 4464 65534 -56 4294967240\n-1 4294967295 -2147483648\n0 0\n2 4 8\n
#include <stdint.h>
#include <stdio.h>

int main(void) {
    signed char c = (signed char)200;
    unsigned char u = (unsigned char)-1;
    short s = (short)70000;
    unsigned short us = (unsigned short)-2;
    int i = c;
    unsigned wide = (unsigned)c;
    long long ll = -1;
    unsigned long long ull = (unsigned)-1;
    int64_t mixed = (int32_t)0x80000000u;
    printf("%d %u %d %u %d %u\n", c, u, s, us, i, wide);
    printf("%lld %llu %lld\n", ll, ull, (long long)mixed);
    printf("%d %d\n", (int)(-1 < 1u), (int)((unsigned char)-1 < 1));
    printf("%d %d %d\n", (int)sizeof(short), (int)sizeof(int), (int)sizeof(long long));
    return 0;
}
