// what: %ld reads more bytes than the int that is given, for some of all inputs of 32 bits
// expect: memsafety=violated overflow=violated
// explicit: all=unknown (an input too wide to try: rule 9)
#include <raddle.h>
#include <stdio.h>

int main(void) {
    int n = raddle_any_int();
    if (n * 3 == 21) printf("%ld\n", n); //~ MEMSAFETY OVERFLOW
    return 0;
}
