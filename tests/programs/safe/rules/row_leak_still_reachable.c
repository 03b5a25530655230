// what: an object that a global still points to is no leak
// expect: leak=ok
// options: --property leak
#include <stdlib.h>

struct node { struct node *next; };
static struct node *head;

int main(void) {
    head = calloc(1, sizeof *head);
    head->next = calloc(1, sizeof *head);
    return 0;
}
