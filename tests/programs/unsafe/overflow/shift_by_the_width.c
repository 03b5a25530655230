// what: a shift by 32 of a 32-bit value
// expect: overflow=violated
int main(void) {
    unsigned x = 1;
    int by = 32;
    return (x << by) == 2; //~ OVERFLOW
}
