// what: a memory fault ends the run; what lies behind it is not known
// expect: ltl=unknown
// engines: explicit
// options: --property "ltl=<> on" --prop "on=x"
// why: rule 10: every row not violated is then at most unknown
static int x, *nowhere;

int main(void) {
    *nowhere = 1; //~ UNSUPPORTED
    x = 1;
    return 0;
}
