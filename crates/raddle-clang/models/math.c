/* The functions of <math.h> that are exact: no rounding of their own. Others (sqrt, sin, pow, ...) are not modelled.
 * Deviation: floating-point exceptions and the rounding mode do not exist.
 */
#include "model.h"

/* Every double from 2 to the 52 on is whole. */
#define WHOLE_DOUBLE 4503599627370496.0

static double sign_like(double value, double sign) {
    union { double number; unsigned long long bits; } a, b;
    a.number = value;
    b.number = sign;
    a.bits = (a.bits & ~(1ULL << 63)) | (b.bits & (1ULL << 63));
    return a.number;
}

static int is_whole_or_strange(double x) { return !(x < WHOLE_DOUBLE && x > -WHOLE_DOUBLE); }

static double cut(double x) { return is_whole_or_strange(x) ? x : sign_like((double)(long long)x, x); }

static double down(double x) {
    double whole = cut(x);
    return whole > x ? whole - 1 : whole;
}

static double up(double x) {
    double whole = cut(x);
    return whole < x ? sign_like(whole + 1, x) : whole;
}

static double nearest(double x) {
    double whole = cut(x);
    double rest = x - whole;
    if (rest >= 0.5) return whole + 1;
    if (rest <= -0.5) return whole - 1;
    return whole;
}

/* fabs: the magnitude */
double fabs(double x) { return sign_like(x, 0.0); }
/* fabsf: the magnitude */
float fabsf(float x) { return (float)sign_like(x, 0.0); }
/* copysign: the magnitude of one, the sign of the other */
double copysign(double x, double y) { return sign_like(x, y); }
/* copysignf: the magnitude of one, the sign of the other */
float copysignf(float x, float y) { return (float)sign_like(x, y); }
/* fmin: the smaller; NaN counts as missing */
double fmin(double x, double y) { return x != x ? y : y != y ? x : x < y ? x : y; }
/* fminf: the smaller; NaN counts as missing */
float fminf(float x, float y) { return x != x ? y : y != y ? x : x < y ? x : y; }
/* fmax: the larger; NaN counts as missing */
double fmax(double x, double y) { return x != x ? y : y != y ? x : x > y ? x : y; }
/* fmaxf: the larger; NaN counts as missing */
float fmaxf(float x, float y) { return x != x ? y : y != y ? x : x > y ? x : y; }
/* fdim: the positive difference */
double fdim(double x, double y) { return x != x || y != y ? x + y : x > y ? x - y : 0.0; }
/* trunc: towards zero */
double trunc(double x) { return cut(x); }
/* truncf: towards zero */
float truncf(float x) { return (float)cut(x); }
/* floor: downwards */
double floor(double x) { return down(x); }
/* floorf: downwards */
float floorf(float x) { return (float)down(x); }
/* ceil: upwards */
double ceil(double x) { return up(x); }
/* ceilf: upwards */
float ceilf(float x) { return (float)up(x); }
/* round: to the nearest, halves away from zero */
double round(double x) { return nearest(x); }
/* roundf: to the nearest, halves away from zero */
float roundf(float x) { return (float)nearest(x); }
/* lround: to the nearest, halves away from zero */
long lround(double x) { return (long)nearest(x); }
/* llround: to the nearest, halves away from zero */
long long llround(double x) { return (long long)nearest(x); }

/* The remainder of magnitudes, by long division in binary: exact. */
static double magnitude_remainder(double x, double y) {
    union { double number; unsigned long long bits; } a, b;
    a.number = x;
    b.number = y;
    int high = (int)(a.bits >> 52), low = (int)(b.bits >> 52);
    unsigned long long p = a.bits & ((1ULL << 52) - 1), q = b.bits & ((1ULL << 52) - 1);
    /* Subnormal numbers have the exponent of the smallest normal ones, without their leading bit. */
    if (high) p |= 1ULL << 52;
    else high = 1;
    if (low) q |= 1ULL << 52;
    else low = 1;
    for (; !(q >> 52); low--) q <<= 1;
    for (; !(p >> 52); high--) {
        if (p == 0) return 0.0;
        p <<= 1;
    }
    for (; high >= low; high--) {
        if (p >= q) p -= q;
        if (p == 0) return 0.0;
        if (high > low) p <<= 1;
    }
    high = low;
    for (; !(p >> 52); high--) p <<= 1;
    if (high > 0) a.bits = (p & ((1ULL << 52) - 1)) | (unsigned long long)high << 52;
    else a.bits = p >> (1 - high);
    return a.number;
}

static double remainder_of(double x, double y) {
    double dividend = sign_like(x, 0.0), divisor = sign_like(y, 0.0);
    if (x != x || y != y) return x + y;
    if (dividend == __builtin_inf() || divisor == 0.0) {
        raddle_errno = EDOM;
        return __builtin_nan("");
    }
    if (dividend < divisor) return x;
    return sign_like(magnitude_remainder(dividend, divisor), x);
}

/* fmod: exact; EDOM for an infinite dividend and a divisor of zero */
double fmod(double x, double y) { return remainder_of(x, y); }
/* fmodf: exact; EDOM for an infinite dividend and a divisor of zero */
float fmodf(float x, float y) { return (float)remainder_of(x, y); }
