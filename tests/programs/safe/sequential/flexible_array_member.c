// what: a struct with a flexible array at its end, in the heap
// expect: assert=ok
// output: 4 loom 0 [] 8\n
#include <stdio.h>
#include <stdlib.h>

struct message { int length; short kind; char text[]; };

static struct message *make(const char *text) {
    int n = 0;
    while (text[n]) n++;
    struct message *m = malloc(sizeof *m + n + 1);
    m->length = n;
    m->kind = 3;
    for (int i = 0; i <= n; i++) m->text[i] = text[i];
    return m;
}

int main(void) {
    struct message *a = make("loom"), *b = make("");
    printf("%d %s %d [%s] %d\n", a->length, a->text, b->length, b->text, (int)sizeof *a);
    free(a);
    free(b);
    return 0;
}
