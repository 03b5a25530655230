// what: a bit-field of unsigned type that fits in an int is promoted to int
// expect: overflow=violated
// why: 31 << 27 is more than the greatest int
struct parts { unsigned low : 5; int high : 9; };

int main(void) {
    struct parts p = {31, 0};
    p.high = p.low << 4 & 15;
    return (p.low << 27) == 0; //~ OVERFLOW
}
