// what: when scanf reads nothing, the variable has no value
// expect: memsafety=violated
#include <stdio.h>

int main(void) {
    int value;
    scanf("%d", &value);
    if (value > 10) return 1; //~ MEMSAFETY
    return 0;
}
