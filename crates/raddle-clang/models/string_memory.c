/* Blocks of bytes: the mem functions of <string.h>, their old names, and their fortified forms.
 *
 * memcpy, memmove and memset are the machine's own operations, which go in ascending words where others can see them.
 * Overlapping blocks in memcpy are the machine's to judge.
 */
#include "model.h"

static void fits(const void *target, size_t size, size_t known) {
    if (size > known) __raddle_fault(RADDLE_MEMSAFETY, "more bytes than the target holds", target);
}

static int compare(const unsigned char *left, const unsigned char *right, size_t size) {
    for (size_t i = 0; i < size; i++)
        if (left[i] != right[i]) return left[i] - right[i];
    return 0;
}

/* memcpy: the machine's copy */
void *memcpy(void *target, const void *source, size_t size) {
    __builtin_memcpy(target, source, size);
    return target;
}

/* memmove: the machine's copy of blocks that may overlap */
void *memmove(void *target, const void *source, size_t size) {
    __builtin_memmove(target, source, size);
    return target;
}

/* memset: the machine's fill */
void *memset(void *target, int byte, size_t size) {
    __builtin_memset(target, byte, size);
    return target;
}

/* mempcpy: memcpy that gives the end */
void *mempcpy(void *target, const void *source, size_t size) {
    __builtin_memcpy(target, source, size);
    return (char *)target + size;
}

/* __mempcpy: mempcpy under glibc's internal name */
void *__mempcpy(void *target, const void *source, size_t size) {
    __builtin_memcpy(target, source, size);
    return (char *)target + size;
}

/* bcopy: memmove with source and target exchanged */
void bcopy(const void *source, void *target, size_t size) { __builtin_memmove(target, source, size); }

/* bzero: fills with zero */
void bzero(void *target, size_t size) { __builtin_memset(target, 0, size); }

/* explicit_bzero: fills with zero */
void explicit_bzero(void *target, size_t size) { __builtin_memset(target, 0, size); }

/* memcmp: the difference of the first bytes that differ */
int memcmp(const void *left, const void *right, size_t size) {
    return compare((const unsigned char *)left, (const unsigned char *)right, size);
}

/* bcmp: as memcmp */
int bcmp(const void *left, const void *right, size_t size) {
    return compare((const unsigned char *)left, (const unsigned char *)right, size);
}

/* memchr: the first such byte */
void *memchr(const void *block, int byte, size_t size) {
    const unsigned char *at = (const unsigned char *)block;
    for (size_t i = 0; i < size; i++)
        if (at[i] == (unsigned char)byte) return (void *)(at + i);
    return 0;
}

/* memrchr: the last such byte */
void *memrchr(const void *block, int byte, size_t size) {
    const unsigned char *at = (const unsigned char *)block;
    while (size-- > 0)
        if (at[size] == (unsigned char)byte) return (void *)(at + size);
    return 0;
}

/* rawmemchr: the first such byte, which must be there */
void *rawmemchr(const void *block, int byte) {
    const unsigned char *at = (const unsigned char *)block;
    while (*at != (unsigned char)byte) at++;
    return (void *)at;
}

/* memccpy: copies up to and with the first such byte */
void *memccpy(void *target, const void *source, int byte, size_t size) {
    for (size_t i = 0; i < size; i++) {
        unsigned char c = ((const unsigned char *)source)[i];
        ((unsigned char *)target)[i] = c;
        if (c == (unsigned char)byte) return (unsigned char *)target + i + 1;
    }
    return 0;
}

/* memmem: the first place of one block in another */
void *memmem(const void *block, size_t size, const void *part, size_t part_size) {
    const unsigned char *at = (const unsigned char *)block;
    for (size_t i = 0; i + part_size <= size; i++)
        if (compare(at + i, (const unsigned char *)part, part_size) == 0) return (void *)(at + i);
    return 0;
}

/* __memcpy_chk: memcpy of the fortified headers: too much is a memory fault */
void *__memcpy_chk(void *target, const void *source, size_t size, size_t known) {
    fits(target, size, known);
    __builtin_memcpy(target, source, size);
    return target;
}

/* __memmove_chk: memmove of the fortified headers: too much is a memory fault */
void *__memmove_chk(void *target, const void *source, size_t size, size_t known) {
    fits(target, size, known);
    __builtin_memmove(target, source, size);
    return target;
}

/* __memset_chk: memset of the fortified headers: too much is a memory fault */
void *__memset_chk(void *target, int byte, size_t size, size_t known) {
    fits(target, size, known);
    __builtin_memset(target, byte, size);
    return target;
}

/* __mempcpy_chk: mempcpy of the fortified headers: too much is a memory fault */
void *__mempcpy_chk(void *target, const void *source, size_t size, size_t known) {
    fits(target, size, known);
    __builtin_memcpy(target, source, size);
    return (char *)target + size;
}

/* __explicit_bzero_chk: explicit_bzero of the fortified headers: too much is a memory fault */
void __explicit_bzero_chk(void *target, size_t size, size_t known) {
    fits(target, size, known);
    __builtin_memset(target, 0, size);
}
