// what: the less common functions on blocks of bytes
// expect: assert=ok
// output: 4\n0101234789\n0 3\n0 0\nbc c\n4 1\nstack 1\n1 1 0\n
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <strings.h>

int main(void) {
    char a[16] = "0123456789", b[16];
    printf("%d\n", (int)((char *)mempcpy(b, a, 4) - b));
    bcopy(a, a + 2, 5);
    printf("%s\n", a);
    bzero(b, 3);
    printf("%d %c\n", b[2], b[3]);
    explicit_bzero(b, 4);
    printf("%d %d\n", b[3], bcmp("ab", "ab", 2));
    printf("%s %s\n", (char *)memrchr("abcabc", 'b', 6), (char *)rawmemchr("abc", 'c'));
    char *end = memccpy(b, "one two", ' ', 8);
    printf("%d %d\n", (int)(end - b), memccpy(b, "abc", 'x', 3) == NULL);
    printf("%s %d\n", (char *)memmem("haystack", 8, "sta", 3), memmem("hay", 3, "x", 1) == NULL);
    printf("%d %d %d\n", memcmp("abc", "abd", 3) < 0, memcmp("b", "a", 1) > 0, memcmp("x", "y", 0));
    return 0;
}
