// A hash table of strings with chains on the heap: structs, pointers, bytes.
#include <stdio.h>
#include <stdlib.h>

struct entry {
    char name[12];
    int count;
    struct entry *next;
};
enum { BUCKETS = 1024 };
static struct entry *table[BUCKETS];

static unsigned hash(const char *name) {
    unsigned h = 5381;
    while (*name) h = h * 33 + (unsigned char)*name++;
    return h;
}

static int equal(const char *a, const char *b) {
    while (*a && *a == *b) a++, b++;
    return *a == *b;
}

static struct entry *find(const char *name) {
    struct entry **at = &table[hash(name) % BUCKETS];
    for (struct entry *e = *at; e; e = e->next)
        if (equal(e->name, name)) return e;
    struct entry *e = malloc(sizeof *e);
    int i = 0;
    for (; name[i]; i++) e->name[i] = name[i];
    e->name[i] = 0;
    e->count = 0;
    e->next = *at;
    *at = e;
    return e;
}

int main(void) {
    unsigned seed = 1;
    for (int i = 0; i < 150000; i++) {
        char name[12];
        seed = seed * 1664525u + 1013904223u;
        unsigned x = (seed >> 16) % 3000;
        int length = 0;
        do name[length++] = (char)('a' + x % 26), x /= 26;
        while (x);
        name[length++] = 'x';
        name[length] = 0;
        find(name)->count++;
    }
    int entries = 0, most = 0;
    for (int b = 0; b < BUCKETS; b++)
        for (struct entry *e = table[b]; e; e = e->next) {
            entries++;
            if (e->count > most) most = e->count;
        }
    printf("%d %d\n", entries, most);
    return 0;
}
