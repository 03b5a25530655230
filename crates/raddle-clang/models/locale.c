/* Locales: there is only the C locale, which has the name POSIX, too. */
#include "model.h"

struct conventions {                /* struct lconv */
    char *decimal_point, *texts[9];
    char numbers[14];
};

/* setlocale: C, POSIX and the default are the C locale; others are not there */
char *setlocale(int category, const char *name) {
    static char c[] = "C";
    __raddle_fixed("the only locale is C");
    if (category < 0 || category > 12) {
        raddle_errno = EINVAL;
        return 0;
    }
    if (name) (void)raddle_string_length(name);
    if (!name || !name[0] || (name[0] == 'C' && !name[1])) return c;
    const char *posix = "POSIX";
    for (int i = 0; i < 6; i++) {
        if (name[i] != posix[i]) {
            raddle_errno = ENOENT;
            return 0;
        }
    }
    return c;
}

/* localeconv: the conventions of the C locale */
struct conventions *localeconv(void) {
    static char empty[1], point[] = ".";
    static struct conventions conventions = {
        point, {empty, empty, empty, empty, empty, empty, empty, empty, empty},
        {CHAR_MAX, CHAR_MAX, CHAR_MAX, CHAR_MAX, CHAR_MAX, CHAR_MAX, CHAR_MAX, CHAR_MAX, CHAR_MAX, CHAR_MAX, CHAR_MAX,
         CHAR_MAX, CHAR_MAX, CHAR_MAX}};
    __raddle_fixed("the only locale is C");
    return &conventions;
}
