// what: a loop writes one element too many
// expect: memsafety=violated
static int table[4], after;

int main(void) {
    for (int i = 0; i <= 4; i++) table[i] = i; //~ MEMSAFETY
    return after;
}
