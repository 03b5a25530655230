// what: the sum overflows for one input, before an assumption refuses that input
// expect: overflow=violated
// engines: explicit
// why: an assumption drops runs from where it stands, not what happened before it: the input that overflows is kept
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

int main(void) {
    int x = __VERIFIER_nondet_int();
    int y = x + 1; //~ OVERFLOW
    __VERIFIER_assume(y > 0 && y < 10);
    return 0;
}
