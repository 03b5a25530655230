// what: a time is an index: its value matters
// expect: memsafety=violated
// explicit: all=unknown (a time is an input too wide to try: rule 9)
#include <time.h>

static int table[3];

int main(void) {
    return table[time(NULL) % 4]; //~ MEMSAFETY
}
