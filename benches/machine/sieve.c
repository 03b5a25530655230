// The sieve of Eratosthenes on a global array of bytes, several rounds.
#include <stdio.h>

enum { N = 200000, ROUNDS = 6 };
static unsigned char composite[N];

int main(void) {
    int count = 0;
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < N; i++) composite[i] = 0;
        count = 0;
        for (int i = 2; i < N; i++) {
            if (composite[i]) continue;
            count++;
            for (long j = (long)i * i; j < N; j += i) composite[j] = 1;
        }
    }
    printf("%d\n", count);
    return 0;
}
