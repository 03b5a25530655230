// what: long double as parameter, local and result
// expect: assert=unknown race=unknown deadlock=unknown memsafety=unknown overflow=unknown locks=unknown
static long double twice(long double x) { return x * 2; }

int main(void) {
    long double y = 1; //~ UNSUPPORTED
    return twice(y) == 2;
}
