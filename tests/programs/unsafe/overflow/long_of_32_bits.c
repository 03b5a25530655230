// what: a sum that fits in 64-bit longs overflows in 32-bit ones
// expect: overflow=violated
// options: --data-model ILP32
int main(void) {
    long x = 2000000000l;
    x += 2000000000l; //~ OVERFLOW
    return x == 0;
}
