// what: the sum overflows for one input, before an assumption refuses that input
// expect: overflow=violated
// engines: explicit
// explicit: all=unknown (an input too wide to try: rule 9)
// why: an assumption drops runs from where it stands, not what happened before it; so the input is not narrowed by it
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

int main(void) {
    int x = __VERIFIER_nondet_int();
    int y = x + 1; //~ OVERFLOW
    __VERIFIER_assume(y > 0 && y < 10);
    return 0;
}
