// what: blocking in a model of the user's is a disabled step, so a gate that nobody opens is a deadlock
// expect: deadlock=violated
// options: --models {folder}/../../../models/own_gate.c
struct gate { int open; };
void gate_pass(struct gate *gate);

static struct gate gate;

int main(void) {
    gate_pass(&gate); //~ DEADLOCK
    return 0;
}
