// what: offsets and sizes of members, packed structs, copies by memcpy
// expect: assert=ok
// output: 12 4 10 6\n1 4 1020306 6\n
#include <stddef.h>
#include <stdio.h>
#include <string.h>

struct padded { char a; int b; char c; short d; };
struct __attribute__((packed)) tight { char a; int b; char c; };

int main(void) {
    struct padded p = {1, 2, 3, 4}, q;
    struct tight t = {5, 0x01020304, 6};
    memcpy(&q, &p, sizeof q);
    q.b += t.b;
    printf("%d %d %d %d\n", (int)sizeof p, (int)offsetof(struct padded, b), (int)offsetof(struct padded, d), (int)sizeof t);
    printf("%d %d %x %d\n", q.a, q.d, q.b, t.c);
    return 0;
}
