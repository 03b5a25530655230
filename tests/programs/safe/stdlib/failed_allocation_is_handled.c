// what: with --malloc-may-fail every allocation may be null, and this program looks
// expect: assert=ok
// options: --malloc-may-fail
#include <errno.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    char *a = malloc(8);
    if (!a) return errno == ENOMEM ? 0 : 1;
    a[0] = 'x';
    char *b = realloc(a, 16);
    if (b) a = b;
    int good = a[0] == 'x';
    free(a);
    return good ? 0 : 1;
}
