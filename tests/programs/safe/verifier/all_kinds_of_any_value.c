// what: nondeterministic values of every type are in their range
// expect: assert=ok
// explicit: all=unknown (an input too wide to try: rule 9)
#include <assert.h>
#include <raddle.h>

_Bool __VERIFIER_nondet_bool(void);
char __VERIFIER_nondet_char(void);
unsigned char __VERIFIER_nondet_uchar(void);
short __VERIFIER_nondet_short(void);
unsigned short __VERIFIER_nondet_ushort(void);
int __VERIFIER_nondet_int(void);
unsigned __VERIFIER_nondet_uint(void);
long __VERIFIER_nondet_long(void);
unsigned long __VERIFIER_nondet_ulong(void);
long long __VERIFIER_nondet_longlong(void);
unsigned long long __VERIFIER_nondet_ulonglong(void);
float __VERIFIER_nondet_float(void);
double __VERIFIER_nondet_double(void);
int nondet_int(void);
_Bool nondet_bool(void);
unsigned nondet_uint(void);
unsigned char nondet_uchar(void);
unsigned short nondet_ushort(void);

int main(void) {
    int b = __VERIFIER_nondet_bool(), r = raddle_any_bool();
    assert((b == 0 || b == 1) && (r == 0 || r == 1));
    int c = __VERIFIER_nondet_char(), u = __VERIFIER_nondet_uchar();
    assert(c >= -128 && c <= 127 && u >= 0 && u <= 255);
    int s = __VERIFIER_nondet_short(), t = __VERIFIER_nondet_ushort();
    assert(s >= -32768 && s <= 32767 && t >= 0 && t <= 65535);
    unsigned long long sum = (unsigned)__VERIFIER_nondet_int() + (unsigned long long)__VERIFIER_nondet_uint();
    sum += (unsigned long)__VERIFIER_nondet_long() ^ __VERIFIER_nondet_ulong();
    sum ^= (unsigned long long)__VERIFIER_nondet_longlong() ^ __VERIFIER_nondet_ulonglong();
    float f = __VERIFIER_nondet_float();
    double d = raddle_any_double();
    assert((f == f || f != f) && (d == d || d != d) && (sum >= 0));
    long long v = raddle_any_in(-3, 5);
    assert(v >= -3 && v <= 5);
    assert(nondet_bool() <= 1 && nondet_uchar() <= 255 && nondet_ushort() <= 65535);
    int i = nondet_int();
    assert(i == i && nondet_uint() >= 0);
    return 0;
}
