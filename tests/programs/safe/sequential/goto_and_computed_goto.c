// what: goto out of loops and a small interpreter by computed goto
// expect: assert=ok
// output: 50\n2 3\n
#include <stdio.h>

static int interpret(const unsigned char *code) {
    static void *labels[] = {&&push, &&add, &&multiply, &&stop};
    int stack[16], top = 0;
    goto *labels[*code];
push:
    stack[top++] = code[1];
    code += 2;
    goto *labels[*code];
add:
    top--;
    stack[top - 1] += stack[top];
    goto *labels[*++code];
multiply:
    top--;
    stack[top - 1] *= stack[top];
    goto *labels[*++code];
stop:
    return stack[0];
}

int main(void) {
    unsigned char code[] = {0, 6, 0, 7, 2, 0, 8, 1, 3};
    printf("%d\n", interpret(code));
    int i, j;
    for (i = 0; i < 5; i++)
        for (j = 0; j < 5; j++)
            if (i * j == 6) goto found;
found:
    printf("%d %d\n", i, j);
    return 0;
}
