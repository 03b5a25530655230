// what: a linked list in the heap: insertion in order, removal, release
// expect: assert=ok
// output: 1 1 2 4 5 5 6 9 \n
#include <stdio.h>
#include <stdlib.h>

struct node { int value; struct node *next; };

static void insert(struct node **list, int value) {
    while (*list && (*list)->value < value) list = &(*list)->next;
    struct node *n = malloc(sizeof *n);
    *n = (struct node){value, *list};
    *list = n;
}
static void remove_first(struct node **list) {
    struct node *n = *list;
    *list = n->next;
    free(n);
}

int main(void) {
    struct node *list = NULL;
    int values[] = {5, 1, 4, 1, 5, 9, 2, 6};
    for (int i = 0; i < 8; i++) insert(&list, values[i]);
    while (list) {
        printf("%d ", list->value);
        remove_first(&list);
    }
    printf("\n");
    return 0;
}
