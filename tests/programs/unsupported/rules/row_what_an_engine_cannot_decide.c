// what: sampling cannot judge termination: that row is unknown and names the engine that can
// expect: termination=unknown
// engines: random
// options: --property termination --property assert --engine random
int main(void) {
    return 0;
}
