// what: volatile accesses, const data and pointers to const
// expect: assert=ok
// output: 45 90\n
#include <stdio.h>

static const int table[] = {2, 3, 5, 7};
static volatile int port;

int main(void) {
    const int *p = table;
    for (int i = 0; i < 4; i++) port = port * 2 + *p++;
    volatile int local = port;
    local += local;
    printf("%d %d\n", port, local);
    return 0;
}
