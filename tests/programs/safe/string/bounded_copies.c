// what: strlcpy and strlcat always end the string and tell the length they tried
// expect: assert=ok
#include <assert.h>
#include <stddef.h>
#include <string.h>

size_t strlcpy(char *target, const char *source, size_t size);
size_t strlcat(char *target, const char *source, size_t size);

int main(void) {
    char a[4];
    assert(strlcpy(a, "raddle", sizeof a) == 6 && strcmp(a, "rad") == 0);
    assert(strlcpy(a, "x", sizeof a) == 1 && strlcat(a, "yzw", sizeof a) == 4 && strcmp(a, "xyz") == 0);
    return 0;
}
