/* Text to numbers: strtol and its kin, atoi and its kin, strtod.
 *
 * Deviations: 1. strtod, strtof and atof read decimal digits with an optional point and exponent, hexadecimal numbers,
 * infinity and NaN; a decimal number that does not fit in 53 bits with a power of ten up to 22 (where one rounding is
 * exact) is unsupported. 2. Out of range, atoi gives strtol's value cut to an int, as glibc does.
 */
#include "model.h"

static int is_space(int c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

static int digit_value(int c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'z') return c - 'a' + 10;
    if (c >= 'A' && c <= 'Z') return c - 'A' + 10;
    return 99;
}

/* Gives the magnitude; `over` when it is larger than `limit` (then the magnitude is not meant). */
static unsigned long long parse(const char *text, char **end, int base, int *negative, int *over,
                                unsigned long long limit_positive, unsigned long long limit_negative, int modern) {
    const char *at = text;
    *negative = 0;
    *over = 0;
    if (end) *end = (char *)text;
    if (base < 0 || base == 1 || base > 36) {
        raddle_errno = EINVAL;
        return 0;
    }
    while (is_space((unsigned char)*at)) at++;
    if (*at == '+' || *at == '-') *negative = *at++ == '-';
    if ((base == 0 || base == 16) && at[0] == '0' && (at[1] == 'x' || at[1] == 'X') && digit_value(at[2]) < 16) {
        at += 2;
        base = 16;
    } else if (modern && (base == 0 || base == 2) && at[0] == '0' && (at[1] == 'b' || at[1] == 'B') &&
               digit_value(at[2]) < 2) {
        at += 2;
        base = 2;
    } else if (base == 0) {
        base = at[0] == '0' ? 8 : 10;
    }
    unsigned long long value = 0, limit = *negative ? limit_negative : limit_positive;
    int any = 0;
    for (; digit_value((unsigned char)*at) < base; at++) {
        unsigned digit = (unsigned)digit_value((unsigned char)*at);
        any = 1;
        if (*over || value > (limit - digit) / (unsigned)base) *over = 1;
        else value = value * (unsigned)base + digit;
    }
    if (!any) return 0;
    if (end) *end = (char *)at;
    if (*over) raddle_errno = ERANGE;
    return value;
}

long long raddle_parse_signed(const char *text, char **end, int base, long long lowest, long long highest, int modern) {
    int negative, over;
    unsigned long long value =
        parse(text, end, base, &negative, &over, (unsigned long long)highest, (unsigned long long)highest + 1, modern);
    if (over) return negative ? lowest : highest;
    return negative ? (long long)(0 - value) : (long long)value;
}

unsigned long long raddle_parse_unsigned(const char *text, char **end, int base, unsigned long long highest,
                                         int modern) {
    int negative, over;
    unsigned long long value = parse(text, end, base, &negative, &over, highest, highest, modern);
    if (over) return highest;
    return negative ? 0 - value : value;
}

static const double powers_of_ten[23] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                         1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

static int has_prefix(const char *text, const char *word) {
    for (; *word; text++, word++) {
        int c = (unsigned char)*text;
        if (c >= 'A' && c <= 'Z') c += 32;
        if (c != *word) return 0;
    }
    return 1;
}

static int hexadecimal_digit(int c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

/* mantissa * 2^exponent as a double, to nearest, ties to even; more: something not zero follows the mantissa. */
static double rounded(unsigned long long mantissa, int exponent, int more) {
    union { double number; unsigned long long bits; } result = {0};
    if (mantissa == 0) return 0.0;
    for (; !(mantissa >> 63); exponent--) mantissa <<= 1;
    int power = exponent + 63;
    int precision = power >= -1022 ? 53 : 53 + 1022 + power;
    if (power > 1023) {
        raddle_errno = ERANGE;
        return __builtin_inf();
    }
    if (precision < 0) {
        raddle_errno = ERANGE;
        return 0.0;
    }
    int shift = 64 - precision;
    unsigned long long kept = shift < 64 ? mantissa >> shift : 0;
    unsigned long long rest = shift < 64 ? mantissa & ((1ULL << shift) - 1) : mantissa;
    unsigned long long half = 1ULL << (shift - 1);
    if (rest > half || (rest == half && (more || (kept & 1)))) kept++;
    /* A carry out of the mantissa goes into the exponent, as it should. */
    result.bits = power >= -1022 ? ((unsigned long long)(power + 1022) << 52) + kept : kept;
    if (result.bits >> 52 == 2047 || (power < -1022 && (rest || more))) raddle_errno = ERANGE;
    return result.number;
}

/* A hexadecimal number after its 0x; null if there is none. */
static const char *hexadecimal(const char *at, double *value) {
    unsigned long long mantissa = 0;
    int any = 0, more = 0, after_point = 0, exponent = 0;
    *value = 0;
    for (;; at++) {
        if (*at == '.' && !after_point) {
            after_point = 1;
            continue;
        }
        int digit = hexadecimal_digit((unsigned char)*at);
        if (digit < 0) break;
        any = 1;
        if (mantissa >> 60) {
            more |= digit != 0;
            exponent += after_point ? 0 : 4;
        } else {
            mantissa = mantissa << 4 | (unsigned)digit;
            exponent -= after_point ? 4 : 0;
        }
    }
    if (!any) return 0;
    if (*at == 'p' || *at == 'P') {
        const char *mark = at + 1;
        int down = 0, number = 0;
        if (*mark == '+' || *mark == '-') down = *mark++ == '-';
        if (*mark >= '0' && *mark <= '9') {
            for (; *mark >= '0' && *mark <= '9'; mark++)
                if (number < 100000) number = number * 10 + (*mark - '0');
            exponent += down ? -number : number;
            at = mark;
        }
    }
    *value = rounded(mantissa, exponent, more);
    return at;
}

double raddle_parse_double(const char *text, char **end) {
    const char *at = text;
    int negative = 0, any = 0, exponent = 0;
    unsigned long long digits = 0;
    if (end) *end = (char *)text;
    while (is_space((unsigned char)*at)) at++;
    if (*at == '+' || *at == '-') negative = *at++ == '-';
    if (has_prefix(at, "inf")) {
        at += has_prefix(at, "infinity") ? 8 : 3;
        if (end) *end = (char *)at;
        return negative ? -__builtin_inf() : __builtin_inf();
    }
    if (has_prefix(at, "nan")) {
        if (end) *end = (char *)at + 3;
        return negative ? -__builtin_nan("") : __builtin_nan("");
    }
    if (at[0] == '0' && (at[1] == 'x' || at[1] == 'X')) {
        double value;
        const char *stop = hexadecimal(at + 2, &value);
        if (end) *end = (char *)(stop ? stop : at + 1);
        return negative ? -value : value;
    }
    for (int after_point = 0;; at++) {
        if (*at == '.' && !after_point) {
            after_point = 1;
            continue;
        }
        if (*at < '0' || *at > '9') break;
        any = 1;
        if (digits >= 900719925474099ULL)
            __raddle_unsupported("strtod: more digits than 53 bits hold");
        digits = digits * 10 + (unsigned)(*at - '0');
        exponent -= after_point;
    }
    if (!any) return 0;
    if (*at == 'e' || *at == 'E') {
        const char *mark = at + 1;
        int down = 0, number = 0;
        if (*mark == '+' || *mark == '-') down = *mark++ == '-';
        if (*mark >= '0' && *mark <= '9') {
            for (; *mark >= '0' && *mark <= '9'; mark++)
                if (number < 10000) number = number * 10 + (*mark - '0');
            exponent += down ? -number : number;
            at = mark;
        }
    }
    if (end) *end = (char *)at;
    double value = (double)digits;
    if (digits != 0) {
        if (exponent < -22 || exponent > 22) __raddle_unsupported("strtod: a power of ten beyond 22");
        if (exponent < 0) value /= powers_of_ten[-exponent];
        else value *= powers_of_ten[exponent];
    }
    return negative ? -value : value;
}

/* strtol: as ISO C; ERANGE at the limits */
long strtol(const char *text, char **end, int base) {
    return (long)raddle_parse_signed(text, end, base, LONG_MIN, LONG_MAX, 0);
}

/* strtoll: as ISO C; ERANGE at the limits */
long long strtoll(const char *text, char **end, int base) {
    return raddle_parse_signed(text, end, base, LLONG_MIN, LLONG_MAX, 0);
}

/* strtoul: as ISO C; ERANGE at the limit */
unsigned long strtoul(const char *text, char **end, int base) {
    return (unsigned long)raddle_parse_unsigned(text, end, base, ULONG_MAX, 0);
}

/* strtoull: as ISO C; ERANGE at the limit */
unsigned long long strtoull(const char *text, char **end, int base) {
    return raddle_parse_unsigned(text, end, base, ULLONG_MAX, 0);
}

/* strtoimax: as strtoll */
long long strtoimax(const char *text, char **end, int base) {
    return raddle_parse_signed(text, end, base, LLONG_MIN, LLONG_MAX, 0);
}

/* strtoumax: as strtoull */
unsigned long long strtoumax(const char *text, char **end, int base) {
    return raddle_parse_unsigned(text, end, base, ULLONG_MAX, 0);
}

/* __isoc23_strtol: strtol of C23, which accepts 0b */
long __isoc23_strtol(const char *text, char **end, int base) {
    return (long)raddle_parse_signed(text, end, base, LONG_MIN, LONG_MAX, 1);
}

/* __isoc23_strtoll: strtoll of C23, which accepts 0b */
long long __isoc23_strtoll(const char *text, char **end, int base) {
    return raddle_parse_signed(text, end, base, LLONG_MIN, LLONG_MAX, 1);
}

/* __isoc23_strtoul: strtoul of C23, which accepts 0b */
unsigned long __isoc23_strtoul(const char *text, char **end, int base) {
    return (unsigned long)raddle_parse_unsigned(text, end, base, ULONG_MAX, 1);
}

/* __isoc23_strtoull: strtoull of C23, which accepts 0b */
unsigned long long __isoc23_strtoull(const char *text, char **end, int base) {
    return raddle_parse_unsigned(text, end, base, ULLONG_MAX, 1);
}

/* atoi: out of range: strtol's value cut to an int */
int atoi(const char *text) { return (int)raddle_parse_signed(text, 0, 10, LONG_MIN, LONG_MAX, 0); }

/* atol: as strtol */
long atol(const char *text) { return (long)raddle_parse_signed(text, 0, 10, LONG_MIN, LONG_MAX, 0); }

/* atoll: as strtoll */
long long atoll(const char *text) { return raddle_parse_signed(text, 0, 10, LLONG_MIN, LLONG_MAX, 0); }

/* strtod: hexadecimal; decimal if 53 bits and a power of ten up to 22 hold it; others are unsupported */
double strtod(const char *text, char **end) { return raddle_parse_double(text, end); }

/* strtof: as strtod; a number that rounds twice is unsupported */
float strtof(const char *text, char **end) {
    double value = raddle_parse_double(text, end);
    float rounded = (float)value;
    if (value == value && (double)rounded != value) __raddle_unsupported("strtof: a number that a float cannot hold");
    return rounded;
}

/* atof: as strtod */
double atof(const char *text) { return raddle_parse_double(text, 0); }
