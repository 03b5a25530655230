// what: a pointer to a variable is used after the variable's block
// expect: memsafety=violated

static int sum;

static void add(int *p) {
    sum += *p; //~ MEMSAFETY
}

int main(void) {
    int *p;
    {
        int inner = 1;
        p = &inner;
        add(p);
    }
    add(p);
    return sum;
}
