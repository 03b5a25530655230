// Rounds of a hash like SHA-256: rotations, additions modulo 2^32, a message schedule on the stack.
#include <stdio.h>

static unsigned rotate(unsigned x, int n) { return x >> n | x << (32 - n); }

static void compress(unsigned state[8], const unsigned char block[64]) {
    unsigned w[64];
    for (int i = 0; i < 16; i++)
        w[i] = (unsigned)block[4 * i] << 24 | block[4 * i + 1] << 16 | block[4 * i + 2] << 8 | block[4 * i + 3];
    for (int i = 16; i < 64; i++) {
        unsigned s0 = rotate(w[i - 15], 7) ^ rotate(w[i - 15], 18) ^ w[i - 15] >> 3;
        unsigned s1 = rotate(w[i - 2], 17) ^ rotate(w[i - 2], 19) ^ w[i - 2] >> 10;
        w[i] = w[i - 16] + s0 + w[i - 7] + s1;
    }
    unsigned a = state[0], b = state[1], c = state[2], d = state[3];
    unsigned e = state[4], f = state[5], g = state[6], h = state[7];
    for (int i = 0; i < 64; i++) {
        unsigned s1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
        unsigned t1 = h + s1 + ((e & f) ^ (~e & g)) + 0x9e3779b9u * (unsigned)(i + 1) + w[i];
        unsigned s0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
        unsigned t2 = s0 + ((a & b) ^ (a & c) ^ (b & c));
        h = g, g = f, f = e, e = d + t1, d = c, c = b, b = a, a = t1 + t2;
    }
    state[0] += a, state[1] += b, state[2] += c, state[3] += d;
    state[4] += e, state[5] += f, state[6] += g, state[7] += h;
}

int main(void) {
    unsigned state[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    unsigned char block[64];
    for (int round = 0; round < 2000; round++) {
        for (int i = 0; i < 64; i++) block[i] = (unsigned char)(i * 7 + round + state[i % 8]);
        compress(state, block);
    }
    printf("%08x%08x\n", state[0], state[7]);
    return 0;
}
