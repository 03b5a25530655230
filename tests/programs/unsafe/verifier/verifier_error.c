// what: __VERIFIER_error is reached for one input
// expect: assert=violated
_Noreturn void __VERIFIER_error(void);
_Bool __VERIFIER_nondet_bool(void);

int main(void) {
    if (__VERIFIER_nondet_bool()) __VERIFIER_error(); //~ ASSERT
    return 0;
}
