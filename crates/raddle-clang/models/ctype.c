/* Character classes and case, of the C locale; the tables that glibc's <ctype.h> macros read, and the functions.
 * The tables have 384 entries, for -128 to 255.
 */
#include "model.h"

enum {
    UPPER = 0x100, LOWER = 0x200, ALPHA = 0x400, DIGIT = 0x800, XDIGIT = 0x1000, SPACE = 0x2000, PRINT = 0x4000,
    GRAPH = 0x8000, BLANK = 1, CONTROL = 2, PUNCTUATION = 4, ALNUM = 8
};
enum { LETTER = ALPHA | ALNUM | PRINT | GRAPH, MARK = PUNCTUATION | PRINT | GRAPH };

static const unsigned short classes[384] = {
    [128 + 0 ... 128 + 8] = CONTROL,
    [128 + '\t'] = CONTROL | SPACE | BLANK,
    [128 + '\n' ... 128 + '\r'] = CONTROL | SPACE,
    [128 + 14 ... 128 + 31] = CONTROL,
    [128 + ' '] = SPACE | BLANK | PRINT,
    [128 + '!' ... 128 + '/'] = MARK,
    [128 + '0' ... 128 + '9'] = DIGIT | XDIGIT | ALNUM | PRINT | GRAPH,
    [128 + ':' ... 128 + '@'] = MARK,
    [128 + 'A' ... 128 + 'F'] = UPPER | XDIGIT | LETTER,
    [128 + 'G' ... 128 + 'Z'] = UPPER | LETTER,
    [128 + '[' ... 128 + '`'] = MARK,
    [128 + 'a' ... 128 + 'f'] = LOWER | XDIGIT | LETTER,
    [128 + 'g' ... 128 + 'z'] = LOWER | LETTER,
    [128 + '{' ... 128 + '~'] = MARK,
    [128 + 127] = CONTROL,
};

#define FOUR(n) n, n + 1, n + 2, n + 3
#define SIXTEEN(n) FOUR(n), FOUR(n + 4), FOUR(n + 8), FOUR(n + 12)
#define SIXTY_FOUR(n) SIXTEEN(n), SIXTEEN(n + 16), SIXTEEN(n + 32), SIXTEEN(n + 48)
/* 'A' and 'a' begin one after a multiple of 32: a letter row is 1 + 26 + 5 entries. */
#define LETTER_ROW(n, shown) \
    n, shown, shown + 1, shown + 2, shown + 3, shown + 4, shown + 5, shown + 6, shown + 7, shown + 8, shown + 9, \
        shown + 10, shown + 11, shown + 12, shown + 13, shown + 14, shown + 15, shown + 16, shown + 17, shown + 18, \
        shown + 19, shown + 20, shown + 21, shown + 22, shown + 23, shown + 24, shown + 25, n + 27, n + 28, n + 29, \
        n + 30, n + 31
#define CASE_TABLE(upper_shown, lower_shown) \
    { \
        SIXTY_FOUR(128), SIXTEEN(192), SIXTEEN(208), SIXTEEN(224), FOUR(240), FOUR(244), FOUR(248), 252, 253, 254, \
            -1, SIXTY_FOUR(0), LETTER_ROW(64, upper_shown), LETTER_ROW(96, lower_shown), SIXTY_FOUR(128), \
            SIXTY_FOUR(192) \
    }
static const int lower_table[384] = CASE_TABLE('a', 'a');
static const int upper_table[384] = CASE_TABLE('A', 'A');

static const unsigned short *const classes_at_zero = classes + 128;
static const int *const lower_at_zero = lower_table + 128;
static const int *const upper_at_zero = upper_table + 128;

/* A character that is neither EOF nor an unsigned char is outside the tables: a memory fault, as in glibc. */
static int has(int character, int class) { return classes_at_zero[character] & class; }

/* __ctype_b_loc: the table of classes */
const unsigned short *const *__ctype_b_loc(void) { return &classes_at_zero; }

/* __ctype_tolower_loc: the table of lower case */
const int *const *__ctype_tolower_loc(void) { return &lower_at_zero; }

/* __ctype_toupper_loc: the table of upper case */
const int *const *__ctype_toupper_loc(void) { return &upper_at_zero; }

/* isalnum: C locale */
int isalnum(int c) { return has(c, ALNUM); }
/* isalpha: C locale */
int isalpha(int c) { return has(c, ALPHA); }
/* isblank: C locale */
int isblank(int c) { return has(c, BLANK); }
/* iscntrl: C locale */
int iscntrl(int c) { return has(c, CONTROL); }
/* isdigit: C locale */
int isdigit(int c) { return has(c, DIGIT); }
/* isgraph: C locale */
int isgraph(int c) { return has(c, GRAPH); }
/* islower: C locale */
int islower(int c) { return has(c, LOWER); }
/* isprint: C locale */
int isprint(int c) { return has(c, PRINT); }
/* ispunct: C locale */
int ispunct(int c) { return has(c, PUNCTUATION); }
/* isspace: C locale */
int isspace(int c) { return has(c, SPACE); }
/* isupper: C locale */
int isupper(int c) { return has(c, UPPER); }
/* isxdigit: C locale */
int isxdigit(int c) { return has(c, XDIGIT); }
/* isascii: C locale */
int isascii(int c) { return (c & ~127) == 0; }
/* toascii: C locale */
int toascii(int c) { return c & 127; }
/* tolower: C locale */
int tolower(int c) { return c >= 'A' && c <= 'Z' ? c + 32 : c; }
/* toupper: C locale */
int toupper(int c) { return c >= 'a' && c <= 'z' ? c - 32 : c; }
