// what: abort ends the process and breaks no property
// expect: assert=ok
#include <stdlib.h>

int main(void) { abort(); }
