// what: division cuts towards zero and the remainder has the sign of the dividend
// expect: assert=ok
// output: 7/2=3,1 7/-2=-3,1 7/3=2,1 7/-3=-2,1 -7/2=-3,-1 -7/-2=3,-1 -7/3=-2,-1 -7/-3=2,-1 1/2=0,1 1/-2=0,1 1/3=0,1 1/-3=0,1 -1/2=0,-1 -1/-2=0,-1 -1/3=0,-1 -1/-3=0,-1 0/2=0,0 0/-2=0,0 0/3=0,0 0/-3=0,0 100/2=50,0 100/-2=-50,0 100/3=33,1 100/-3=-33,1 \n571428571 3\n
#include <stdio.h>

int main(void) {
    int values[] = {7, -7, 1, -1, 0, 100};
    int divisors[] = {2, -2, 3, -3};
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 4; j++) printf("%d/%d=%d,%d ", values[i], divisors[j], values[i] / divisors[j], values[i] % divisors[j]);
    printf("\n%u %u\n", 4000000000u / 7u, 4000000000u % 7u);
    return 0;
}
