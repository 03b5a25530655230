// what: an unsigned char is promoted to int, so its shift is a signed one
// expect: overflow=violated
// why: 0x80 << 24 is 2 to the 31, which no int has; a classical fault when bytes are put together
int main(void) {
    volatile unsigned char byte = 0x80;
    unsigned word = byte << 24; //~ OVERFLOW
    return word == 0;
}
