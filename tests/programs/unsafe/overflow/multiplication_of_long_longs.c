// what: a product that needs more than 63 bits
// expect: overflow=violated
int main(void) {
    long long x = 4000000000ll;
    long long y = x * x; //~ OVERFLOW
    return y == 0;
}
