// what: a reachable call to a function without a body
// expect: assert=unknown race=unknown deadlock=unknown memsafety=unknown overflow=unknown locks=unknown
int read_sensor(int channel);

int main(void) {
    return read_sensor(3) > 100; //~ UNSUPPORTED
}
