// what: a function of two parameters is called with one argument
// expect: memsafety=violated
static int add(int a, int b) { return a + b; }

int main(void) {
    int (*function)(int) = (int (*)(int))add;
    return function(1) == 2; //~ MEMSAFETY
}
