// what: the compiler has folded a shift of two constants into the sign bit; it is undefined all the same
// expect: overflow=violated
// why: in `1 << 31` both operands are ints; `1u << 31` was meant
unsigned flags;

int main(void) {
    flags |= 1 << 4;
    flags |= 1 << 31; //~ OVERFLOW
    return 0;
}
