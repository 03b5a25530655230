// what: an invariant that reads through a pointer while it is null has no value there; elsewhere it is broken
// expect: invariant=violated
// engines: explicit stateless
// options: --property assert --invariant "shared->limit < 2"
// why: what is broken is said; that it has no value at the start would only keep it from being proved
static struct { int limit; } box, *shared;

int main(void) {
    shared = &box;
    box.limit = 1;
    box.limit = 2; //~ INVARIANT
    return 0;
}
