// what: a function that takes a double is called with an int
// expect: memsafety=violated
static int half(double x) { return (int)(x / 2); }

int main(void) {
    volatile int one = 1;
    int (*function)(int) = (int (*)(int))half;
    return function(one) == 2; //~ MEMSAFETY
}
