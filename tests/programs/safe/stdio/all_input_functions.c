// what: input of every form: each result is in its range, and what was pushed back comes again
// expect: assert=ok
// explicit: skip (input without end: rule 9)
#include <assert.h>
#include <stdio.h>

int main(void) {
    char block[4] = {0};
    int a = 1, b = 2;
    size_t n = fread(block, 1, 4, stdin);
    assert(n <= 4);
    clearerr(stdin);
    assert(!feof(stdin) && !ferror(stdin) && fileno(stdout) == 1);
    assert(ungetc('x', stdin) == 'x' && getc(stdin) == 'x');
    int count = scanf("%d %d", &a, &b);
    assert(count >= -1 && count <= 2);
    if (count < 1) assert(a == 1);
    if (count < 2) assert(b == 2);
    FILE *file = fopen("data", "r");
    if (file) {
        char word[3];
        if (fscanf(file, "%2s", word) == 1) assert(word[0] && (word[1] == 0 || word[2] == 0));
        fclose(file);
    }
    return 0;
}
