// what: walking strings by pointers, pointer differences, arrays of strings
// expect: assert=ok
// output: elttuhs 7\nwarp:r weft:f raddle:d \ncdef\n
#include <stdio.h>

static int length(const char *s) {
    const char *end = s;
    while (*end) end++;
    return (int)(end - s);
}

static void reverse(char *s) {
    for (char *a = s, *b = s + length(s) - 1; a < b; a++, b--) {
        char c = *a;
        *a = *b;
        *b = c;
    }
}

int main(void) {
    char text[] = "shuttle";
    const char *words[] = {"warp", "weft", "raddle", 0};
    reverse(text);
    printf("%s %d\n", text, length(text));
    for (const char **w = words; *w; w++) printf("%s:%c ", *w, 2[*w]);
    printf("\n%s\n", "abc" "def" + 2);
    return 0;
}
