// what: `X` speaks of the next visible operation: after the request the very next is not the answer
// expect: ltl=violated
// engines: explicit
// options: --property "ltl=[] (asked && !answered -> X answered)" --prop "asked=a" --prop "answered=b"
static volatile int a, b, c;

int main(void) {
    a = 1;
    c = 1;
    b = 1; //~ LTL
    return 0;
}
