// what: main spins on a flag that nobody raises
// expect: termination=violated
// engines: explicit
// options: --property termination
static volatile int flag;

int main(void) {
    while (!flag) {} //~ TERMINATION
    return 0;
}
