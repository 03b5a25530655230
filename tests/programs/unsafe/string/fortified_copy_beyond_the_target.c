// what: a fortified copy of more than the target holds
// expect: memsafety=violated
#include <stddef.h>

void *__memcpy_chk(void *, const void *, size_t, size_t);

int main(void) {
    char a[4];
    __memcpy_chk(a, "longer", 6, sizeof a); //~ MEMSAFETY
    return a[0];
}
