// what: shifts of unsigned integers, shifts in constants, and signed ones that fit
// expect: overflow=ok
// why: unsigned shifts lose their upper bits by definition; only the base of a signed one is restricted
#include <assert.h>
enum { FLAG = 1 << 30 };
static const int table[] = {1 << 0, 1 << 15, 1 << 30};
struct parts { unsigned low : 5; int high : 9; };

int main(void) {
    volatile int amount = 31, thirty = 30;
    unsigned top = 1u << amount;
    unsigned lost = 0xffffffffu << amount;
    unsigned long long wide = 1ULL << 63;
    long long fits = 1LL << 62;
    unsigned __int128 widest = (unsigned __int128)1 << 127;
    __int128 most = (__int128)1 << 126;
    unsigned char byte = 0x7f;
    struct parts p = {1, 1};
    byte <<= 3;
    p.low <<= 3;
    p.high <<= 7;
    int power = 1;
    power <<= thirty;
    assert(top == 0x80000000u && lost == top && wide >> 63 == 1 && fits > 0);
    assert((int)(widest >> 127) == 1 && most > 0 && byte == 0xf8 && p.low == 8 && p.high == 128);
    assert(power == FLAG && table[2] == FLAG && (-8 >> 1) == -4 && 0 << thirty == 0);
    return 0;
}
