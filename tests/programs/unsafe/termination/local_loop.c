// what: a loop without any visible operation never ends
// expect: termination=violated
// engines: explicit
// options: --property termination
int main(void) {
    volatile int x = 1; /* private: no other thread can see it */
    while (x) {} //~ TERMINATION
    return 0;
}
