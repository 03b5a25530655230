// what: milliseconds of a time in an int
// expect: overflow=violated
// explicit: overflow=unknown (a time is an input too wide to try: rule 9)
#include <time.h>

int main(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    int seconds = (int)(now.tv_sec & 0x7fffffff);
    int milliseconds = seconds * 1000; //~ OVERFLOW
    return milliseconds != 0;
}
