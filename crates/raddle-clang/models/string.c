/* Strings: the str functions of <string.h> and <strings.h>, and their fortified forms. Byte loops: each byte that
 * others can see is a step, and sharing a string without order is a race.
 *
 * Deviations: 1. strcoll and strxfrm are those of the C locale. 2. strtok keeps its place in a variable of the library,
 * as the real one does: two threads that use it race there.
 */
#include "model.h"

size_t raddle_string_length(const char *text) {
    size_t length = 0;
    while (text[length]) length++;
    return length;
}

static size_t length_up_to(const char *text, size_t limit) {
    size_t length = 0;
    while (length < limit && text[length]) length++;
    return length;
}

static void fits(const void *target, size_t size, size_t known) {
    if (size > known) __raddle_fault(RADDLE_MEMSAFETY, "more bytes than the target holds", target);
}

/* Copies with the terminating zero; gives the place of that zero. */
static char *copy(char *target, const char *source) {
    while ((*target = *source)) target++, source++;
    return target;
}

/* Fills the rest with zeros; gives the place of the first zero, or the end. */
static char *copy_exactly(char *target, const char *source, size_t size) {
    size_t i = 0;
    for (; i < size && source[i]; i++) target[i] = source[i];
    char *end = target + i;
    for (; i < size; i++) target[i] = 0;
    return end;
}

static char *append_up_to(char *target, const char *source, size_t limit) {
    char *at = target + raddle_string_length(target);
    for (; limit > 0 && *source; limit--) *at++ = *source++;
    *at = 0;
    return target;
}

static int lower(int c) { return c >= 'A' && c <= 'Z' ? c + 32 : c; }

static int compare(const char *left, const char *right, size_t limit, int fold) {
    for (size_t i = 0; i < limit; i++) {
        int a = (unsigned char)left[i], b = (unsigned char)right[i];
        if (fold) a = lower(a), b = lower(b);
        if (a != b) return a - b;
        if (!a) break;
    }
    return 0;
}

static int is_in(char c, const char *set) {
    for (; *set; set++)
        if (*set == c) return 1;
    return 0;
}

/* strlen: the length */
size_t strlen(const char *text) { return raddle_string_length(text); }

/* strnlen: the length, or the limit */
size_t strnlen(const char *text, size_t limit) { return length_up_to(text, limit); }

/* strcpy: copies a string */
char *strcpy(char *target, const char *source) { copy(target, source); return target; }

/* stpcpy: copies a string; gives its end */
char *stpcpy(char *target, const char *source) { return copy(target, source); }

/* __stpcpy: stpcpy under glibc's internal name */
char *__stpcpy(char *target, const char *source) { return copy(target, source); }

/* strncpy: copies at most so many bytes and fills with zeros */
char *strncpy(char *target, const char *source, size_t size) { copy_exactly(target, source, size); return target; }

/* stpncpy: as strncpy; gives the end */
char *stpncpy(char *target, const char *source, size_t size) { return copy_exactly(target, source, size); }

/* strlcpy: copies what fits, always with a zero; gives the length of the source */
size_t strlcpy(char *target, const char *source, size_t size) {
    size_t i = 0;
    for (; i + 1 < size && source[i]; i++) target[i] = source[i];
    if (size > 0) target[i] = 0;
    return raddle_string_length(source);
}

/* strlcat: appends what fits, always with a zero; gives the length it tried to make */
size_t strlcat(char *target, const char *source, size_t size) {
    size_t length = length_up_to(target, size), i = 0;
    if (length < size) {
        for (; length + i + 1 < size && source[i]; i++) target[length + i] = source[i];
        target[length + i] = 0;
    }
    return length + raddle_string_length(source);
}

/* strcat: appends a string */
char *strcat(char *target, const char *source) {
    copy(target + raddle_string_length(target), source);
    return target;
}

/* strncat: appends at most so many bytes, and a zero */
char *strncat(char *target, const char *source, size_t limit) { return append_up_to(target, source, limit); }

/* strcmp: the difference of the first bytes that differ */
int strcmp(const char *left, const char *right) { return compare(left, right, SIZE_MAX, 0); }

/* strncmp: as strcmp, of at most so many bytes */
int strncmp(const char *left, const char *right, size_t limit) { return compare(left, right, limit, 0); }

/* strcoll: as strcmp: the C locale */
int strcoll(const char *left, const char *right) { return compare(left, right, SIZE_MAX, 0); }

/* strcasecmp: as strcmp, without regard to case */
int strcasecmp(const char *left, const char *right) { return compare(left, right, SIZE_MAX, 1); }

/* strncasecmp: as strncmp, without regard to case */
int strncasecmp(const char *left, const char *right, size_t limit) { return compare(left, right, limit, 1); }

/* strxfrm: copies: the C locale */
size_t strxfrm(char *target, const char *source, size_t size) {
    size_t i = 0, length = raddle_string_length(source);
    for (; i < size && i <= length; i++) target[i] = source[i];
    return length;
}

/* strchr: the first such character */
char *strchr(const char *text, int character) {
    for (;; text++) {
        if (*text == (char)character) return (char *)text;
        if (!*text) return 0;
    }
}

/* index: the old name of strchr */
char *index(const char *text, int character) {
    for (;; text++) {
        if (*text == (char)character) return (char *)text;
        if (!*text) return 0;
    }
}

/* strchrnul: the first such character, or the end */
char *strchrnul(const char *text, int character) {
    while (*text && *text != (char)character) text++;
    return (char *)text;
}

static char *last(const char *text, int character) {
    const char *found = 0;
    for (;; text++) {
        if (*text == (char)character) found = text;
        if (!*text) return (char *)found;
    }
}

/* strrchr: the last such character */
char *strrchr(const char *text, int character) { return last(text, character); }

/* rindex: the old name of strrchr */
char *rindex(const char *text, int character) { return last(text, character); }

static char *find(const char *text, const char *part, int fold) {
    size_t length = raddle_string_length(part);
    for (;; text++) {
        if (compare(text, part, length, fold) == 0) return (char *)text;
        if (!*text) return 0;
    }
}

/* strstr: the first place of one string in another */
char *strstr(const char *text, const char *part) { return find(text, part, 0); }

/* strcasestr: as strstr, without regard to case */
char *strcasestr(const char *text, const char *part) { return find(text, part, 1); }

/* strspn: the length of the prefix of characters of the set */
size_t strspn(const char *text, const char *set) {
    size_t length = 0;
    while (text[length] && is_in(text[length], set)) length++;
    return length;
}

/* strcspn: the length of the prefix of characters outside the set */
size_t strcspn(const char *text, const char *set) {
    size_t length = 0;
    while (text[length] && !is_in(text[length], set)) length++;
    return length;
}

/* strpbrk: the first character of the set */
char *strpbrk(const char *text, const char *set) {
    for (; *text; text++)
        if (is_in(*text, set)) return (char *)text;
    return 0;
}

static char *token(char *text, const char *set, char **place) {
    if (!text) text = *place;
    if (!text) return 0;
    while (*text && is_in(*text, set)) text++;
    if (!*text) {
        *place = text;
        return 0;
    }
    char *start = text;
    while (*text && !is_in(*text, set)) text++;
    if (*text) *text++ = 0;
    *place = text;
    return start;
}

static char *strtok_place;

/* strtok: keeps its place in one variable: two threads that use it race */
char *strtok(char *text, const char *set) { return token(text, set, &strtok_place); }

/* strtok_r: keeps its place where the caller says */
char *strtok_r(char *text, const char *set, char **place) { return token(text, set, place); }

/* __strtok_r: strtok_r under glibc's internal name */
char *__strtok_r(char *text, const char *set, char **place) { return token(text, set, place); }

/* strsep: the next field, also an empty one */
char *strsep(char **place, const char *set) {
    char *start = *place, *at = start;
    if (!start) return 0;
    while (*at && !is_in(*at, set)) at++;
    if (*at) {
        *at = 0;
        *place = at + 1;
    } else {
        *place = 0;
    }
    return start;
}

static char *duplicate(const char *text, size_t length) {
    char *result = (char *)raddle_allocate(length + 1, RADDLE_HEAP);
    if (!result) return 0;
    for (size_t i = 0; i < length; i++) result[i] = text[i];
    result[length] = 0;
    return result;
}

/* strdup: a copy in the heap */
char *strdup(const char *text) { return duplicate(text, raddle_string_length(text)); }

/* __strdup: strdup under glibc's internal name */
char *__strdup(const char *text) { return duplicate(text, raddle_string_length(text)); }

/* strndup: a copy of at most so many bytes in the heap */
char *strndup(const char *text, size_t limit) { return duplicate(text, length_up_to(text, limit)); }

/* __strndup: strndup under glibc's internal name */
char *__strndup(const char *text, size_t limit) { return duplicate(text, length_up_to(text, limit)); }

static int first_set(unsigned long long bits) {
    if (!bits) return 0;
    int place = 1;
    for (; !(bits & 1); bits >>= 1) place++;
    return place;
}

/* ffs: the place of the lowest set bit, from 1; 0 for none */
int ffs(int bits) { return first_set((unsigned)bits); }

/* ffsl: as ffs, of a long */
int ffsl(long bits) { return first_set((unsigned long)bits); }

/* ffsll: as ffs, of a long long */
int ffsll(long long bits) { return first_set((unsigned long long)bits); }

/* __strcpy_chk: strcpy of the fortified headers: too much is a memory fault */
char *__strcpy_chk(char *target, const char *source, size_t known) {
    fits(target, raddle_string_length(source) + 1, known);
    copy(target, source);
    return target;
}

/* __stpcpy_chk: stpcpy of the fortified headers: too much is a memory fault */
char *__stpcpy_chk(char *target, const char *source, size_t known) {
    fits(target, raddle_string_length(source) + 1, known);
    return copy(target, source);
}

/* __strncpy_chk: strncpy of the fortified headers: too much is a memory fault */
char *__strncpy_chk(char *target, const char *source, size_t size, size_t known) {
    fits(target, size, known);
    copy_exactly(target, source, size);
    return target;
}

/* __stpncpy_chk: stpncpy of the fortified headers: too much is a memory fault */
char *__stpncpy_chk(char *target, const char *source, size_t size, size_t known) {
    fits(target, size, known);
    return copy_exactly(target, source, size);
}

/* __strcat_chk: strcat of the fortified headers: too much is a memory fault */
char *__strcat_chk(char *target, const char *source, size_t known) {
    size_t length = raddle_string_length(target);
    fits(target, length + raddle_string_length(source) + 1, known);
    copy(target + length, source);
    return target;
}

/* __strncat_chk: strncat of the fortified headers: too much is a memory fault */
char *__strncat_chk(char *target, const char *source, size_t limit, size_t known) {
    fits(target, raddle_string_length(target) + length_up_to(source, limit) + 1, known);
    return append_up_to(target, source, limit);
}
