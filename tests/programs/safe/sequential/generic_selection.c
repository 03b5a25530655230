// what: _Generic, _Static_assert, _Alignof, and typeof
// expect: assert=ok
// output: int double char * unsigned long other\n7 4 1\n
#include <stdalign.h>
#include <stdio.h>

#define name(x) _Generic((x), int: "int", double: "double", char *: "char *", unsigned long: "unsigned long", default: "other")
#define largest(a, b) ({ __typeof__(a) _a = (a); __typeof__(b) _b = (b); _a > _b ? _a : _b; })
_Static_assert(sizeof(char) == 1, "bytes");

int main(void) {
    char *text = "x";
    alignas(16) char block[3] = {1, 2, 3};
    printf("%s %s %s %s %s\n", name(1), name(1.0), name(text), name(sizeof(int)), name(1.0f));
    printf("%d %d %d\n", largest(3, 7), (int)alignof(int), ((unsigned long)block & 15) == 0);
    return 0;
}
