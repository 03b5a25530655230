// what: shifts, masks and rotations of unsigned and signed values
// expect: assert=ok
// output: 34567812 ff000000 1\n-4 -1 6\n32 0\n1000000000000000\n
#include <stdint.h>
#include <stdio.h>

static uint32_t rotate(uint32_t x, int by) { return (x << by) | (x >> (32 - by)); }

static int count_bits(uint64_t x) {
    int n = 0;
    for (; x; x &= x - 1) n++;
    return n;
}

int main(void) {
    printf("%x %x %x\n", rotate(0x12345678u, 8), 0xffu << 24, 0x80000000u >> 31);
    printf("%d %d %d\n", -8 >> 1, -1 >> 5, 5 ^ 3);
    printf("%d %d\n", count_bits(0xff00ff00ff00ff00ull), count_bits(0));
    printf("%llx\n", ~0ull << 63 >> 3);
    return 0;
}
