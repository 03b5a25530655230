// what: the text of a time is copied by a format, and a byte of it decides an assertion
// expect: assert=violated
// explicit: all=unknown (a time is an input too wide to try: rule 9)
// auto: deadlock=bounded memsafety=bounded overflow=bounded locks=bounded (text in a buffer is not for order)
#include <assert.h>
#include <stdio.h>
#include <time.h>

int main(void) {
    char text[2] = {0, 0}, copy[8];
    text[0] = (char)('a' + (time(NULL) & 7));
    snprintf(copy, sizeof copy, "%s", text);
    assert(copy[0] == 'a'); //~ ASSERT
    return 0;
}
