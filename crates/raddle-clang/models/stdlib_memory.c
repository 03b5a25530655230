/* The heap: malloc and its family.
 *
 * Allocation never fails unless --malloc-may-fail is given (then each one may) or the size is larger than any object
 * can be. Every allocation is a new object; malloc(0) is a unique object of size 0.
 *
 * With --reuse-addresses, an allocation may take a freed block of its own size class (glibc's: multiples of 16 bytes, the
 * allocator's own word included), and a realloc that fits into its block may stay there.
 *
 * Deviations: 1. realloc always moves without --reuse-addresses. 2. realloc(p, 0) frees and gives null, as glibc does.
 */
#include "model.h"

static int refused(size_t size) {
    if (size <= PTRDIFF_MAX && !(__raddle_setting(RADDLE_SETTING_MALLOC_MAY_FAIL) && __raddle_choose(2))) return 0;
    raddle_errno = ENOMEM;
    return 1;
}

void *raddle_allocate(size_t size, int kind) {
    if (refused(size)) return 0;
    return __raddle_alloc(size, kind);
}

static void *aligned(size_t alignment, size_t size) {
    if (refused(size)) return 0;
    return __raddle_alloc_aligned(size, alignment, RADDLE_HEAP);
}

static int is_power_of_two(size_t number) { return number != 0 && (number & (number - 1)) == 0; }

/* The bytes of a block, as the machine counts them for reuse. */
static size_t block(size_t size) {
    size_t least = 4 * sizeof(size_t), bytes = (size + sizeof(size_t) + 15) & ~(size_t)15;
    return bytes < least ? least : bytes;
}

static void *resize(void *old, size_t size) {
    if (!old) return raddle_allocate(size, RADDLE_HEAP);
    if (size == 0) {
        __raddle_free(old);
        return 0;
    }
    if (refused(size)) return 0;
    size_t before = __raddle_object_size(old);
    if (__raddle_setting(RADDLE_SETTING_REUSE_ADDRESSES) && block(size) <= block(before) && __raddle_choose(2)) {
        __raddle_resize(old, size);
        return old;
    }
    void *new = __raddle_alloc(size, RADDLE_HEAP);
    __builtin_memcpy(new, old, before < size ? before : size);
    __raddle_free(old);
    return new;
}

/* malloc: never fails unless --malloc-may-fail; malloc(0) is unique and not null */
void *malloc(size_t size) { return raddle_allocate(size, RADDLE_HEAP); }

/* calloc: malloc of zero bytes; null when the product overflows */
void *calloc(size_t count, size_t size) {
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes)) {
        raddle_errno = ENOMEM;
        return 0;
    }
    return raddle_allocate(bytes, RADDLE_HEAP_ZERO);
}

/* realloc: always moves, unless --reuse-addresses; realloc(p, 0) frees and gives null */
void *realloc(void *old, size_t size) { return resize(old, size); }

/* reallocarray: realloc; null when the product overflows */
void *reallocarray(void *old, size_t count, size_t size) {
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes)) {
        raddle_errno = ENOMEM;
        return 0;
    }
    return resize(old, bytes);
}

/* free: a write of the whole object; invalid and double free are memory faults */
void free(void *pointer) { __raddle_free(pointer); }

/* cfree: the old name of free */
void cfree(void *pointer) { __raddle_free(pointer); }

/* The next power of two, at least the alignment that malloc gives. */
static void *aligned_up(size_t alignment, size_t size) {
    size_t power = 16;
    if (alignment > PTRDIFF_MAX / 2 + 1) {
        raddle_errno = EINVAL;
        return 0;
    }
    while (power < alignment) power *= 2;
    return aligned(power, size);
}

/* aligned_alloc: when the alignment is no power of two, null with EINVAL or the next power (a choice) */
void *aligned_alloc(size_t alignment, size_t size) {
    /* ISO C 7.22.3.1 requires failure, and glibc 2.38 fails; older ones round up. */
    if (!is_power_of_two(alignment) && __raddle_choose(2)) {
        raddle_errno = EINVAL;
        return 0;
    }
    return is_power_of_two(alignment) ? aligned(alignment, size) : aligned_up(alignment, size);
}

/* memalign: an alignment that is no power of two counts as the next one */
void *memalign(size_t alignment, size_t size) {
    return is_power_of_two(alignment) ? aligned(alignment, size) : aligned_up(alignment, size);
}

/* posix_memalign: EINVAL when the alignment is no power of two or too small */
int posix_memalign(void **result, size_t alignment, size_t size) {
    if (!is_power_of_two(alignment) || alignment % sizeof(void *) != 0) return EINVAL;
    void *pointer = aligned(alignment, size);
    if (!pointer) return ENOMEM;
    *result = pointer;
    return 0;
}

/* valloc: aligned to a page of 4096 bytes */
void *valloc(size_t size) { return aligned(4096, size); }

/* malloc_usable_size: exactly the requested size */
size_t malloc_usable_size(void *pointer) { return pointer ? __raddle_object_size(pointer) : 0; }
