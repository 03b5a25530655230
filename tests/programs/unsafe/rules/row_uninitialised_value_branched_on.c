// what: branching on an uninitialised local is a memory fault
// expect: memsafety=violated
int main(void) {
    int x;
    int *p = &x;
    if (*p == 3) return 1; //~ MEMSAFETY
    return 0;
}
