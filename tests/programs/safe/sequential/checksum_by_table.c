// what: a CRC by a table that is filled at start
// expect: assert=ok
// output: cbf43926 00000000\n
#include <stdint.h>
#include <stdio.h>

static uint32_t table[256];
static uint32_t crc(const char *text) {
    uint32_t value = 0xffffffffu;
    for (; *text; text++) value = table[(value ^ (unsigned char)*text) & 255] ^ value >> 8;
    return ~value;
}

int main(void) {
    for (uint32_t i = 0; i < 256; i++) {
        uint32_t c = i;
        for (int k = 0; k < 8; k++) c = c & 1 ? 0xedb88320u ^ c >> 1 : c >> 1;
        table[i] = c;
    }
    printf("%08x %08x\n", crc("123456789"), crc(""));
    return 0;
}
