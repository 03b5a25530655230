// what: 64-bit arithmetic, with products that need all bits
// expect: assert=ok
// output: 3748899703585450325 9223372030926249001 9223344360893 166322\n436429365\n
#include <stdio.h>

int main(void) {
    unsigned long long x = 1;
    for (int i = 0; i < 20; i++) x = x * 6364136223846793005ull + 1442695040888963407ull;
    long long a = 3037000499ll, b = a * a;
    printf("%llu %lld %lld %lld\n", x, b, b / 1000003, b % 1000003);
    printf("%llu\n", x >> 33);
    return 0;
}
