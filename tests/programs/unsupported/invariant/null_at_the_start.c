// what: an invariant without a value in the first state: the row says why, and the others are judged
// expect: invariant=unknown assert=ok
// engines: explicit stateless
// options: --property assert --invariant "shared->limit < 3"
static struct { int limit; } box, *shared;

int main(void) {
    shared = &box;
    box.limit = 2;
    return 0;
}
