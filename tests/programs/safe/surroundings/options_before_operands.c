// what: with POSIXLY_CORRECT the first argument that is no option ends the options
// expect: assert=ok
// options: --property assert --args "-v input -n 3" --env POSIXLY_CORRECT=
#define _GNU_SOURCE
#include <assert.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv) {
    assert(getopt(argc, argv, "n:v") == 'v');
    assert(getopt(argc, argv, "n:v") == -1 && optind == 2);
    assert(strcmp(argv[2], "input") == 0 && strcmp(argv[3], "-n") == 0);
    return 0;
}
