// what: an object that is declared and that no input defines: what it holds is not known
// expect: assert=unknown race=unknown deadlock=unknown memsafety=unknown overflow=unknown locks=unknown
// why: rule 9; a zero would make the assertion hold
#include <assert.h>
extern int limit;
extern const char *names[];

int main(void) {
    assert(limit == 0); //~ UNSUPPORTED
    return names[0] != 0;
}
