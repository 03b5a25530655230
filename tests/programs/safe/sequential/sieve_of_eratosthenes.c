// what: an array of bytes as a sieve
// expect: assert=ok
// output: 46 199\n
#include <stdio.h>

int main(void) {
    static unsigned char composite[200];
    int count = 0, last = 0;
    for (int i = 2; i < 200; i++) {
        if (composite[i]) continue;
        count++;
        last = i;
        for (int j = i * i; j < 200; j += i) composite[j] = 1;
    }
    printf("%d %d\n", count, last);
    return 0;
}
