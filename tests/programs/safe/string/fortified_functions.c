// what: what the fortified headers call, within bounds
// expect: assert=ok
#include <assert.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

void *__memcpy_chk(void *, const void *, size_t, size_t);
void *__memset_chk(void *, int, size_t, size_t);
void *__memmove_chk(void *, const void *, size_t, size_t);
char *__strcpy_chk(char *, const char *, size_t);
char *__strcat_chk(char *, const char *, size_t);
char *__strncpy_chk(char *, const char *, size_t, size_t);
char *__strncat_chk(char *, const char *, size_t, size_t);
int __sprintf_chk(char *, int, size_t, const char *, ...);
int __snprintf_chk(char *, size_t, int, size_t, const char *, ...);
int __printf_chk(int, const char *, ...);
int __fprintf_chk(FILE *, int, const char *, ...);

int main(void) {
    char a[8];
    __memset_chk(a, 0, 8, 8);
    __strcpy_chk(a, "ab", 8);
    __strcat_chk(a, "cd", 8);
    __strncat_chk(a, "efgh", 2, 8);
    assert(strcmp(a, "abcdef") == 0);
    __memmove_chk(a + 1, a, 3, 7);
    assert(memcmp(a, "aabc", 4) == 0);
    __memcpy_chk(a, "xy", 3, 8);
    __strncpy_chk(a + 2, "z", 2, 6);
    assert(strcmp(a, "xyz") == 0);
    assert(__sprintf_chk(a, 1, 8, "%d", 12) == 2 && __snprintf_chk(a, 3, 1, 8, "%s", "long") == 4);
    assert(strcmp(a, "lo") == 0);
    __printf_chk(1, "%s\n", a);
    __fprintf_chk(stderr, 1, "%s\n", a);
    return 0;
}
