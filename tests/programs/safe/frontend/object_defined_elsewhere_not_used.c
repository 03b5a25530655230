// what: the address of an object that no input defines; nothing is read or written there
// expect: assert=ok
// proved: explicit
// why: rule 9 asks for a use that is reachable
#include <assert.h>
extern int limit;
static int *where = &limit;
int own;

int main(void) {
    assert(where != &own && where != 0);
    return own ? *where : 0;
}
