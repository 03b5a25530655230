// what: the less common string functions
// expect: assert=ok
// output: 4\n4\nweft-th 1 0\n4 loom\nLoom bc 0\nttle tle\n[a][][b]\n0 3 21 41\nSuccess Invalid argument\nNo such file or directory\n
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <strings.h>

int main(void) {
    char a[24] = "warp", b[24];
    printf("%d\n", (int)(stpcpy(a, "weft") - a));
    printf("%d\n", (int)(stpncpy(b, "weft", 8) - b));
    strncat(a, "-thread", 3);
    printf("%s %d %d\n", a, strcoll("a", "b") < 0, strncasecmp("ABx", "aby", 2));
    printf("%d %s\n", (int)strxfrm(b, "loom", sizeof b), b);
    printf("%s %s %d\n", strcasestr("The Loom", "lOO"), strchrnul("abc", 'b'), *strchrnul("abc", 'z'));
    printf("%s %s\n", index("shuttle", 't'), rindex("shuttle", 't'));
    char fields[] = "a::b", *rest = fields, *field;
    while ((field = strsep(&rest, ":"))) printf("[%s]", field);
    printf("\n%d %d %d %d\n", ffs(0), ffs(12), ffsl(1l << 20), ffsll(1ll << 40));
    printf("%s %s\n", strerror(0), strerror(22));
    char text[32];
    printf("%s\n", strerror_r(2, text, sizeof text));
    return 0;
}
