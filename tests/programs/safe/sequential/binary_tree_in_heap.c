// what: a binary search tree with pointers to pointers, walked by recursion
// expect: assert=ok
// output: 6: 1 2 6 11 20 22 27 29 30 31 \n
#include <stdio.h>
#include <stdlib.h>

struct tree { int key; struct tree *left, *right; };
static struct tree **find(struct tree **t, int key) {
    while (*t && (*t)->key != key) t = key < (*t)->key ? &(*t)->left : &(*t)->right;
    return t;
}
static int depth(struct tree *t) {
    if (!t) return 0;
    int l = depth(t->left), r = depth(t->right);
    return 1 + (l > r ? l : r);
}
static void walk(struct tree *t) {
    if (!t) return;
    walk(t->left);
    printf("%d ", t->key);
    walk(t->right);
    free(t);
}

int main(void) {
    struct tree *root = NULL;
    unsigned seed = 1;
    for (int i = 0; i < 12; i++) {
        seed = seed * 1103515245u + 12345u;
        int key = (int)(seed >> 16 & 31);
        struct tree **place = find(&root, key);
        if (!*place) {
            *place = calloc(1, sizeof **place);
            (*place)->key = key;
        }
    }
    printf("%d: ", depth(root));
    walk(root);
    printf("\n");
    return 0;
}
