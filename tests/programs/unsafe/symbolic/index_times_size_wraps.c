// what: an index whose product with the size of an element is 0 modulo 2^64 is out of bounds all the same
// expect: memsafety=violated
static int table[4];
int main(void) {
    unsigned long index = 1ul << 62;
    return table[index]; //~ MEMSAFETY
}
