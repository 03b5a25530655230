// what: fopen gives null in some runs, and the program does not look
// expect: memsafety=violated
#include <stdio.h>

int main(void) {
    FILE *file = fopen("settings", "r");
    int c = fgetc(file); //~ MEMSAFETY
    fclose(file);
    return c == EOF;
}
