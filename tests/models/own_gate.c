/* A model of a primitive that the library does not know: a gate that threads wait at until it is opened. */
#include <stddef.h>

void __raddle_begin(void);
void __raddle_end(void);
_Noreturn void __raddle_block(int why, const void *object, int owner);
void __raddle_acquire(const void *object, int channel);
void __raddle_release(const void *object, int channel);

struct gate { int open; };

void gate_open(struct gate *gate) {
    __raddle_begin();
    gate->open = 1;
    __raddle_release(gate, 0);
    __raddle_end();
}

void gate_pass(struct gate *gate) {
    __raddle_begin();
    if (!gate->open) __raddle_block(9, gate, 0);
    __raddle_acquire(gate, 0);
    __raddle_end();
}
