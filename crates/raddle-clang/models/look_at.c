/* Reading what a call is given and does not keep. A file of its own: many models need it, and nothing else with it. */
#include "model.h"

void raddle_look_at(const void *bytes, size_t size) {
    if (size == 0) return;
    void *copy = __raddle_alloc(size, RADDLE_INTERNAL);
    __builtin_memcpy(copy, bytes, size);
    __raddle_free(copy);
}
