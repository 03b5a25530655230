// what: an option that lacks its argument leaves optarg null, and the program uses it
// expect: memsafety=violated assert=unknown
// options: --property assert --property memsafety --args "-n"
#define _GNU_SOURCE
#include <assert.h>
#include <unistd.h>

int main(int argc, char **argv) {
    int option = getopt(argc, argv, "n:");
    assert(option == '?' && optopt == 'n');
    return optarg[0]; //~ MEMORY
}
