// what: old programs declare `int malloc()`; with 32-bit pointers that loses nothing
// expect: assert=ok memsafety=ok
// options: --data-model ILP32
void __VERIFIER_assert(int condition);
int malloc();
int calloc();
void free();
struct node { struct node *next; int value; };

int main(void) {
    struct node *first = (struct node *)malloc(sizeof(struct node));
    struct node *second = (struct node *)calloc(1, sizeof(struct node));
    first->next = second;
    first->value = 1;
    second->value = 2;
    __VERIFIER_assert(first->next->value == 2 && second->next == 0);
    free(second);
    free(first);
    return 0;
}
