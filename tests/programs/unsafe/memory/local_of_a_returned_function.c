// what: the address of a local is used after its function has returned
// expect: memsafety=violated
static int *keep;
static void set(void) {
    int local = 5;
    keep = &local;
}

int main(void) {
    set();
    return *keep; //~ MEMSAFETY
}
