// what: the conversion %n of printf, sprintf and sscanf
// expect: assert=ok
// output: abc 12\n6 3 2 4\n
// exit: 0
#include <assert.h>
#include <stdio.h>
static int global;

int main(void) {
    int words = -1, read = -1, number;
    short half = -1;
    long whole = -1;
    char text[16];
    printf("abc %d%n\n", 12, &words);
    sprintf(text, "%s%n", "xyz", &global);
    snprintf(text, 3, "12%hn34%ln", &half, &whole);
    sscanf("77 8", "%d%n", &number, &read);
    assert(number == 77 && read == 2);
    printf("%d %d %d %ld\n", words, global, half, whole);
    return 0;
}
