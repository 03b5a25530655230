// what: structures of every size as variadic arguments, in registers and in memory
// expect: assert=ok
// output: 1 2\n1.5 2.5\n3 x 4.5\nabcdefghijklmnopq 9\n1 2 3 4\n7\n
// exit: 0
#include <stdarg.h>
#include <stdio.h>
struct pair { int a, b; };
struct floats { float a, b; };
struct mixed { double d; const char *s; int n; };
struct text { char c[18]; };
struct vector { float x, y, z, w; };
struct node { struct node *next; long value; };

static void show(const char *kinds, ...) {
    va_list list;
    va_start(list, kinds);
    for (; *kinds; kinds++) {
        if (*kinds == 'p') {
            struct pair p = va_arg(list, struct pair);
            printf("%d %d\n", p.a, p.b);
        } else if (*kinds == 'f') {
            struct floats p = va_arg(list, struct floats);
            printf("%g %g\n", p.a, p.b);
        } else if (*kinds == 'm') {
            struct mixed p = va_arg(list, struct mixed);
            printf("%d %s %g\n", p.n, p.s, p.d);
        } else if (*kinds == 't') {
            struct text p = va_arg(list, struct text);
            int n = va_arg(list, int);
            printf("%s %d\n", p.c, n);
        } else if (*kinds == 'v') {
            struct vector p = va_arg(list, struct vector);
            printf("%g %g %g %g\n", p.x, p.y, p.z, p.w);
        } else {
            struct node p = va_arg(list, struct node);
            printf("%ld\n", p.next->value);
        }
    }
    va_end(list);
}

int main(void) {
    struct node last = {0, 7}, first = {&last, 6};
    void (*indirect)(const char *, ...) = show;
    show("pfm", (struct pair){1, 2}, (struct floats){1.5f, 2.5f}, (struct mixed){4.5, "x", 3});
    indirect("tvn", (struct text){"abcdefghijklmnopq"}, 9, (struct vector){1, 2, 3, 4}, first);
    return 0;
}
