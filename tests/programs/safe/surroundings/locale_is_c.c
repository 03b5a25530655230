// what: setlocale knows the C locale only
// expect: assert=ok
// options: --property assert
// says: the only locale is C
#include <assert.h>
#include <locale.h>
#include <stddef.h>
#include <string.h>

int main(void) {
    assert(strcmp(setlocale(LC_ALL, ""), "C") == 0);
    assert(strcmp(setlocale(LC_NUMERIC, "POSIX"), "C") == 0);
    assert(setlocale(LC_ALL, NULL) != NULL && setlocale(LC_ALL, "no such locale") == NULL);
    assert(strcmp(localeconv()->decimal_point, ".") == 0 && localeconv()->thousands_sep[0] == 0);
    return 0;
}
