// what: fopen reads the name up to its final zero; there is none
// expect: memsafety=violated
#include <stdio.h>

int main(void) {
    char name[2] = {'a', 'b'};
    FILE *file = fopen(name, "r"); //~ MEMSAFETY
    return file != 0;
}
