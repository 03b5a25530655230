// what: a call to a function without a body that no run reaches
// expect: assert=ok
int read_sensor(int channel);

int main(void) {
    volatile int connected = 0;
    if (connected) return read_sensor(3);
    return 0;
}
