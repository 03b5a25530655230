// what: a union shows the bytes of one type as another
// expect: assert=ok
// output: 44 11 3344 1122\n3f800000\n-4.00\n
#include <stdint.h>
#include <stdio.h>

union word {
    uint32_t whole;
    uint8_t bytes[4];
    struct { uint16_t low, high; } halves;
    float number;
};

int main(void) {
    union word w;
    w.whole = 0x11223344u;
    printf("%x %x %x %x\n", w.bytes[0], w.bytes[3], w.halves.low, w.halves.high);
    w.number = 1.0f;
    printf("%x\n", w.whole);
    w.bytes[3] = 0xc0;
    printf("%.2f\n", w.number);
    return 0;
}
