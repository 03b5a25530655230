// what: a function listed as havoc fills what its arguments point to, and leaves the rest
// expect: assert=ok memsafety=ok
// engines: explicit
// proved: explicit
// options: --havoc read_sensor --havoc find --havoc describe --property assert --property memsafety
// why: what it wrote is no longer indeterminate; pointers and what is `const` stay
#include <assert.h>
struct reading { unsigned char value; const char *unit; };
void read_sensor(struct reading *out, const unsigned char *channel);
struct reading *find(void);
void describe(void *context);

int main(void) {
    static const char unit[] = "V";
    unsigned char channel = 3;
    struct reading r;
    r.unit = unit;
    read_sensor(&r, &channel);
    int low = r.value < 100;
    assert(low == 0 || low == 1);
    assert(r.unit == unit && channel == 3);
    struct reading *found = find();
    if (found) {
        int high = found->value > 200;
        assert(high <= 1 && found->unit == 0);
    }
    const char *text = unit;
    describe(&text);
    assert(text == unit && unit[0] == 'V');
    read_sensor(0, &channel);
    return 0;
}
