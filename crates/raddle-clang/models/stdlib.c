/* Sorting, searching, random numbers, integer arithmetic and the environment of <stdlib.h>.
 *
 * Deviations: 1. rand, random and their kin are choices among all values they can give; seeding has no effect, so equal
 * seeds do not give equal numbers. 2. qsort is a stable merge sort, with the order of comparisons that glibc's merge
 * sort has. 3. The environment has only what --env sets.
 */
#include "model.h"

/* abs: overflows for INT_MIN */
int abs(int number) { return number < 0 ? -number : number; }

/* labs: overflows for LONG_MIN */
long labs(long number) { return number < 0 ? -number : number; }

/* llabs: overflows for LLONG_MIN */
long long llabs(long long number) { return number < 0 ? -number : number; }

typedef struct { int quot, rem; } division;
typedef struct { long quot, rem; } long_division;
typedef struct { long long quot, rem; } long_long_division;

/* div: quotient and remainder */
division div(int left, int right) { return (division){left / right, left % right}; }

/* ldiv: quotient and remainder */
long_division ldiv(long left, long right) { return (long_division){left / right, left % right}; }

/* lldiv: quotient and remainder */
long_long_division lldiv(long long left, long long right) { return (long_long_division){left / right, left % right}; }

/* rand: any value from 0 to RAND_MAX, 2147483647 (a choice) */
int rand(void) { return (int)__raddle_any(31); }

/* srand: no effect */
void srand(unsigned seed) {}

/* rand_r: any value from 0 to RAND_MAX (a choice); the seed is read and written, so that sharing it is a race */
int rand_r(unsigned *seed) {
    int result = (int)__raddle_any(31);
    *seed = *seed ^ (unsigned)result;
    return result;
}

/* random: any value from 0 to 2147483647 (a choice) */
long random(void) { return (long)__raddle_any(31); }

/* srandom: no effect */
void srandom(unsigned seed) {}

/* lrand48: any value from 0 to 2147483647 (a choice) */
long lrand48(void) { return (long)__raddle_any(31); }

/* mrand48: any 32-bit value (a choice) */
long mrand48(void) { return (long)(int)__raddle_any(32); }

/* srand48: no effect */
void srand48(long seed) {}

/* drand48: any multiple of 2 to the -48 in [0, 1) (a choice) */
double drand48(void) { return (double)__raddle_any(48) / 281474976710656.0; }

/* Of its own, so that it counts although qsort has no result. */
static void fix_order(void) { __raddle_fixed("qsort is stable and compares as glibc's merge sort does"); }

static void sort(char *base, size_t count, size_t size, int (*compare)(const void *, const void *, void *),
                 void *context, char *space) {
    if (count < 2) return;
    size_t left_count = count / 2, right_count = count - left_count;
    char *left = base, *right = base + left_count * size, *out = space;
    sort(left, left_count, size, compare, context, space);
    sort(right, right_count, size, compare, context, space);
    while (left_count && right_count) {
        if (compare(left, right, context) <= 0) {
            __builtin_memcpy(out, left, size);
            left += size;
            left_count--;
        } else {
            __builtin_memcpy(out, right, size);
            right += size;
            right_count--;
        }
        out += size;
    }
    if (left_count) __builtin_memcpy(out, left, left_count * size);
    __builtin_memcpy(base, space, (count - right_count) * size);
}

static int plain_compare(const void *left, const void *right, void *context) {
    return ((int (*)(const void *, const void *))context)(left, right);
}

/* qsort: a stable merge sort */
void qsort(void *base, size_t count, size_t size, int (*compare)(const void *, const void *)) {
    fix_order();
    if (count < 2 || size == 0) return;
    char space[count * size];
    sort((char *)base, count, size, plain_compare, (void *)compare, space);
}

/* qsort_r: a stable merge sort; the comparison has a context (glibc's order of arguments) */
void qsort_r(void *base, size_t count, size_t size, int (*compare)(const void *, const void *, void *),
             void *context) {
    fix_order();
    if (count < 2 || size == 0) return;
    char space[count * size];
    sort((char *)base, count, size, compare, context, space);
}

/* bsearch: any of several equal elements: the one that halving finds first */
void *bsearch(const void *key, const void *base, size_t count, size_t size,
              int (*compare)(const void *, const void *)) {
    __raddle_fixed("bsearch returns the first match of binary search");
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        const char *element = (const char *)base + middle * size;
        int order = compare(key, element);
        if (order == 0) return (void *)element;
        if (order < 0) high = middle;
        else low = middle + 1;
    }
    return 0;
}

static char *no_environment[1];
char **__environ = no_environment;
char **environ = no_environment;

char *raddle_find_variable(const char *name) {
    (void)raddle_string_length(name);
    __raddle_begin();
    for (char **variable = __environ; variable && *variable; variable++) {
        size_t i = 0;
        while (name[i] && name[i] == (*variable)[i]) i++;
        if (!name[i] && (*variable)[i] == '=') {
            char *value = *variable + i + 1;
            __raddle_end();
            return value;
        }
    }
    __raddle_end();
    return 0;
}

/* getenv: finds what --env sets and nothing else */
char *getenv(const char *name) {
    __raddle_fixed("the environment is empty but for what --env sets");
    return raddle_find_variable(name);
}

/* secure_getenv: finds what --env sets and nothing else */
char *secure_getenv(const char *name) {
    __raddle_fixed("the environment is empty but for what --env sets");
    return raddle_find_variable(name);
}

/* system: unsupported */
int system(const char *command) { __raddle_unsupported("system: other processes are not modelled"); }
