/* What a function without a body may do that the user lists with --havoc. The front end calls these, with what the
 * declaration of the function says about its parameters and its result.
 */
#include "model.h"

struct __attribute__((packed)) two_bytes { unsigned short value; };
struct __attribute__((packed)) four_bytes { unsigned value; };
struct __attribute__((packed)) eight_bytes { unsigned long long value; };

/* Any value in the member at `offset`, of `width` bytes, of each element from `pointer` to the end of its object;
 * pointers that are there stay. The stores are the caller's own: races with them are races.
 */
void raddle_havoc_memory(void *pointer, size_t offset, size_t width, size_t stride) {
    if (!pointer) return;
    for (char *at = (char *)pointer + offset;; at += stride) {
        int what = __raddle_writable(at, width);
        if (what == 0) return;
        if (what == 2) continue;
        switch (width) {
        case 1: *(unsigned char *)at = (unsigned char)__raddle_any(8); break;
        case 2: ((struct two_bytes *)at)->value = (unsigned short)__raddle_any(16); break;
        case 4: ((struct four_bytes *)at)->value = (unsigned)__raddle_any(32); break;
        case 8: ((struct eight_bytes *)at)->value = __raddle_any(64); break;
        }
    }
}

/* Null, or a new object of zeros. */
void *raddle_havoc_pointer(size_t size) { return __raddle_choose(2) ? __raddle_alloc(size, RADDLE_HEAP_ZERO) : 0; }
