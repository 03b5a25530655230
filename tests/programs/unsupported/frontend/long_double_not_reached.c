// what: a function with long double that is never called stops nothing
// expect: assert=ok
long double twice(long double x) { return x * 2; }

int main(int argc, char **argv) {
    volatile int never = 0;
    if (never) twice(3);
    return 0;
}
