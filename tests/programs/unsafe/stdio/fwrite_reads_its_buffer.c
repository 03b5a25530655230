// what: fwrite reads the bytes that it is given, also where they go to a file
// expect: memsafety=violated
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    char *bytes = calloc(2, 1);
    FILE *file = fopen("data", "w");
    if (file) fwrite(bytes, 1, 3, file); //~ MEMSAFETY
    return 0;
}
