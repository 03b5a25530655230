// what: structs of several sizes are passed and returned by value
// expect: assert=ok
// output: 2 1 3 6 large Targe d 4.50 4\n
#include <stdio.h>

struct small { int x, y; };
struct large { int v[10]; char name[8]; };
struct mixed { char c; double d; short s; };

static struct small swap(struct small s) { return (struct small){s.y, s.x}; }
static struct large twice(struct large l) {
    for (int i = 0; i < 10; i++) l.v[i] *= 2;
    l.name[0] = 'T';
    return l;
}
static struct mixed change(struct mixed m, int by) {
    m.c += by;
    m.d *= by;
    m.s -= by;
    return m;
}

int main(void) {
    struct small s = swap(swap(swap((struct small){1, 2})));
    struct large l = {{1, 2, 3}, "large"}, t = twice(l);
    struct mixed m = change((struct mixed){'a', 1.5, 7}, 3);
    printf("%d %d %d %d %s %s %c %.2f %d\n", s.x, s.y, l.v[2], t.v[2], l.name, t.name, m.c, m.d, m.s);
    return 0;
}
