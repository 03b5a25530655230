// what: a rate, when no time has passed
// expect: overflow=violated
// explicit: all=unknown (a time is an input too wide to try: rule 9)
#include <time.h>

int main(void) {
    time_t start = time(NULL), end = time(NULL);
    return (int)(1000 / (end - start)); //~ OVERFLOW
}
