// what: a weak function that no input defines is called without a test
// expect: memsafety=violated
// why: its address is null
extern int optional_part(int) __attribute__((weak));

int main(void) {
    return optional_part(1); //~ MEMSAFETY
}
