// what: strncpy leaves no zero, strlen runs on
// expect: memsafety=violated
#include <stdlib.h>
#include <string.h>

int main(void) {
    char *buffer = malloc(4);
    strncpy(buffer, "loom", 4);
    int n = (int)strlen(buffer); //~ MEMSAFETY
    free(buffer);
    return n;
}
