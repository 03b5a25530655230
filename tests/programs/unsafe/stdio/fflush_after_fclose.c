// what: a stream is flushed after it was closed
// expect: memsafety=violated
#include <stdio.h>

int main(void) {
    FILE *file = fopen("data", "w");
    if (!file) return 0;
    fclose(file);
    fflush(file); //~ MEMSAFETY
    return 0;
}
