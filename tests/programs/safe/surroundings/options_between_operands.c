// what: getopt takes options between other arguments, and moves those to the end
// expect: assert=ok memsafety=ok
// options: --property assert --property memsafety --args "input -n 3 -v output -- -x"
// says: the environment is empty but for what --env sets
#define _GNU_SOURCE
#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv) {
    int number = 0, verbose = 0, option;
    while ((option = getopt(argc, argv, "n:v")) != -1) {
        if (option == 'n') number = atoi(optarg);
        else if (option == 'v') verbose = 1;
        else return 1;
    }
    assert(number == 3 && verbose == 1 && optind == 5);
    assert(strcmp(argv[5], "input") == 0 && strcmp(argv[6], "output") == 0 && strcmp(argv[7], "-x") == 0);
    return 0;
}
