// what: with 64-bit pointers `int malloc()` cuts the address
// expect: memsafety=violated
// why: the upper half of the pointer is lost; the cut number points to nothing
int malloc();

int main(void) {
    int *p = (int *)(long)malloc(sizeof(int));
    *p = 1; //~ MEMSAFETY
    return 0;
}
