// what: calls through pointers in tables, struct members and arguments
// expect: assert=ok
// output: add 10\nsubtract 4\nmultiply 21\n3 -1 1\n
#include <stdio.h>

static int add(int a, int b) { return a + b; }
static int subtract(int a, int b) { return a - b; }
static int multiply(int a, int b) { return a * b; }
typedef int (*operation)(int, int);
static operation choose(char name) {
    switch (name) {
    case '+': return add;
    case '-': return subtract;
    default: return multiply;
    }
}
struct entry { const char *name; operation call; };

int main(void) {
    struct entry table[] = {{"add", add}, {"subtract", subtract}, {"multiply", multiply}};
    for (int i = 0; i < 3; i++) printf("%s %d\n", table[i].name, table[i].call(7, 3));
    printf("%d %d %d\n", choose('+')(1, 2), (*choose('-'))(1, 2), choose('*') == multiply);
    return 0;
}
