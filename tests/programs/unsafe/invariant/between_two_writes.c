// what: without an atomic section, the state between two writes is seen, though no thread ever looks at it
// expect: invariant=violated
// engines: explicit stateless random
// options: --property assert --invariant "a == b"
// why: rule 11: invariants are read after each visible operation
static int a, b;

int main(void) {
    a = 1; //~ INVARIANT
    b = 1;
    return 0;
}
