// what: _exit and quick_exit run no destructors
// expect: assert=ok
#include <assert.h>
#include <stdlib.h>

__attribute__((destructor)) static void end(void) { assert(0); }

int main(void) { quick_exit(0); }
