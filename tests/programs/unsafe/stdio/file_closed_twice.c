// what: a stream is closed a second time
// expect: memsafety=violated
#include <stdio.h>

int main(void) {
    FILE *file = fopen("log", "w");
    if (!file) return 0;
    fprintf(file, "%d\n", 1);
    fclose(file);
    fclose(file); //~ MEMSAFETY
    return 0;
}
