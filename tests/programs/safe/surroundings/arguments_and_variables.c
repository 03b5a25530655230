// what: --args and --env are what main, environ and getenv give
// expect: assert=ok race=ok memsafety=ok
// options: --args "-n 3 'two words'" --env LEVEL=7 --env EMPTY= --env LEVELS=9
// says: main is called with argc = 4: -n 3 two words
// says: the environment has LEVEL=7
// says: the environment is empty but for what --env sets
// why: argv ends with a null pointer, and so does the environment; a name is found as a whole, and the first that is set counts
#include <assert.h>
#include <stdlib.h>
#include <string.h>

extern char **environ;

int main(int argc, char **argv, char **envp) {
    assert(argc == 4);
    assert(strcmp(argv[1], "-n") == 0 && atoi(argv[2]) == 3 && strcmp(argv[3], "two words") == 0);
    assert(argv[4] == NULL);
    assert(strcmp(getenv("LEVEL"), "7") == 0);
    assert(getenv("EMPTY")[0] == 0);
    assert(getenv("LEVE") == NULL && getenv("L") == NULL && getenv("OTHER") == NULL);
    assert(envp == environ && strcmp(envp[2], "LEVELS=9") == 0 && envp[3] == NULL);
    return 0;
}
