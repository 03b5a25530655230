// what: qsort of structs by two keys, and bsearch in the result
// expect: assert=ok
// output: beam loom reed warp weft comb 2\n1\n
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct item { char name[8]; int rank; };
static int order(const void *a, const void *b) {
    const struct item *x = a, *y = b;
    if (x->rank != y->rank) return x->rank < y->rank ? -1 : 1;
    return strcmp(x->name, y->name);
}

int main(void) {
    struct item items[] = {{"weft", 3}, {"warp", 3}, {"loom", 1}, {"reed", 2}, {"comb", 9}, {"beam", 1}};
    qsort(items, 6, sizeof *items, order);
    for (int i = 0; i < 6; i++) printf("%s ", items[i].name);
    struct item key = {"reed", 2}, *found = bsearch(&key, items, 6, sizeof *items, order);
    printf("%d\n", (int)(found - items));
    key.rank = 5;
    printf("%d\n", bsearch(&key, items, 6, sizeof *items, order) == NULL);
    return 0;
}
