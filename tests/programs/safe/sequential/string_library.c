// what: the string functions on ordinary text
// expect: assert=ok
// output: threading thre 9 3\n1 1 0\nreading ing eading\n4 2 =value\n[one][two][three]\n0 0\nththreing ---e 1\n
#include <stdio.h>
#include <string.h>
#include <strings.h>

int main(void) {
    char buffer[32] = "thread", copy[32];
    strcat(buffer, "ing");
    strncpy(copy, buffer, 4);
    copy[4] = 0;
    printf("%s %s %d %d\n", buffer, copy, (int)strlen(buffer), (int)strnlen(buffer, 3));
    printf("%d %d %d\n", strcmp("a", "b") < 0, strcmp("b", "a") > 0, strncmp("abc", "abd", 2));
    printf("%s %s %s\n", strchr(buffer, 'r'), strrchr(buffer, 'i'), strstr(buffer, "ead"));
    printf("%d %d %s\n", (int)strspn("aabbc", "ab"), (int)strcspn("hello", "l"), strpbrk("key=value", "=:"));
    char line[] = "one,,two;three", *state, *word;
    for (word = strtok_r(line, ",;", &state); word; word = strtok_r(NULL, ",;", &state)) printf("[%s]", word);
    printf("\n%d %d\n", strcasecmp("Thread", "tHREAD"), memcmp("ab", "ac", 1));
    memmove(buffer + 2, buffer, 4);
    memset(copy, '-', 3);
    printf("%s %s %d\n", buffer, copy, memchr("abc", 'c', 3) != NULL);
    return 0;
}
