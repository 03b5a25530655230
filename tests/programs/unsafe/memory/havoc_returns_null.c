// what: a function listed as havoc that returns a pointer may return null
// expect: memsafety=violated
// options: --havoc find
struct node { int value; };
struct node *find(int key);

int main(void) {
    struct node *found = find(1);
    return found->value == 7; //~ MEMSAFETY
}
