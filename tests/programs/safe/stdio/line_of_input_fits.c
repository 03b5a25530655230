// what: fgets never writes more than it may, and always ends the line
// expect: assert=ok
// explicit: skip (input without end: rule 9)
#include <assert.h>
#include <stdio.h>

int main(void) {
    char line[4];
    if (!fgets(line, sizeof line, stdin)) return 0;
    assert(line[0] == 0 || line[1] == 0 || line[2] == 0 || line[3] == 0);
    return 0;
}
