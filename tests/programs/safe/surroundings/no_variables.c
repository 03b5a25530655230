// what: without --args and --env there is the name of the program, and an empty environment
// expect: assert=ok memsafety=ok
// says: main is called with argc = 1
#include <assert.h>
#include <stdlib.h>

extern char **environ;

int main(int argc, char **argv, char **envp) {
    assert(argc == 1 && argv[0] != NULL && argv[1] == NULL);
    assert(envp[0] == NULL && environ[0] == NULL);
    assert(getenv("HOME") == NULL);
    return 0;
}
