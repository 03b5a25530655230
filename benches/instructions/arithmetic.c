/* One thread that computes: shifts, products, comparisons, an array that is sorted by insertion, calls. */
#include <assert.h>

static unsigned values[120];

static unsigned mixed(unsigned x) {
    x ^= x >> 15;
    x *= 0x2c1b3c6du;
    x ^= x >> 12;
    return x * 0x297a2d39u;
}

int main(void) {
    for (unsigned i = 0; i < 120; i++) values[i] = mixed(i) % 1000;
    for (int i = 1; i < 120; i++) {
        unsigned value = values[i];
        int at = i;
        while (at > 0 && values[at - 1] > value) {
            values[at] = values[at - 1];
            at--;
        }
        values[at] = value;
    }
    for (int i = 1; i < 120; i++) assert(values[i - 1] <= values[i]);
}
