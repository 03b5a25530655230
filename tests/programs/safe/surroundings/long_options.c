// what: long options with and without an argument, abbreviated, unknown, and one that sets a flag
// expect: assert=ok memsafety=ok
// options: --property assert --property memsafety --args "--threads=4 --verb file --mode fast --none -q"
#include <assert.h>
#include <getopt.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
    static int verbose;
    static const struct option options[] = {
        {"threads", required_argument, NULL, 't'},
        {"verbose", no_argument, &verbose, 1},
        {"mode", optional_argument, NULL, 'm'},
        {NULL, 0, NULL, 0},
    };
    int index = -1;
    opterr = 0;
    assert(getopt_long(argc, argv, "qt:", options, &index) == 't' && atoi(optarg) == 4 && index == 0);
    assert(getopt_long(argc, argv, "qt:", options, &index) == 0 && verbose == 1 && index == 1);
    assert(getopt_long(argc, argv, "qt:", options, &index) == 'm' && optarg == NULL);
    assert(getopt_long(argc, argv, "qt:", options, &index) == '?');
    assert(getopt_long(argc, argv, "qt:", options, &index) == 'q');
    assert(getopt_long(argc, argv, "qt:", options, &index) == -1 && optind == 6);
    assert(strcmp(argv[6], "file") == 0 && strcmp(argv[7], "fast") == 0);
    return 0;
}
