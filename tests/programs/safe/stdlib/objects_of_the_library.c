// what: objects that the library defines are no missing ones
// expect: assert=ok
// exit: 0
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <unistd.h>

int main(void) {
    assert(optind == 1 && optarg == 0 && opterr == 1);
    assert(environ != 0 && program_invocation_name[0] != 0);
    assert(stdin != 0 && stdout != stderr);
    return 0;
}
