/* Objects that all threads share, and the functions of the atomic library by names that no compiler has built in. */
static atomic_int word, other;
static atomic_long wide;
static atomic_flag flag = ATOMIC_FLAG_INIT;

struct pair { long low, high; };
static _Atomic struct pair two;
struct triple { int a, b, c; };
static struct triple three;
typedef unsigned __int128 sixteen;
static uint8_t library_1;
static uint16_t library_2;
static uint32_t library_4;
static uint64_t library_8;
static sixteen library_16;

#define AS(name) __asm__("__atomic_" name)
#define LOADS(n, type) \
    extern type library_load_##n(const volatile void *, int) AS("load_" #n); \
    extern void library_store_##n(volatile void *, type, int) AS("store_" #n); \
    extern type library_exchange_##n(volatile void *, type, int) AS("exchange_" #n); \
    extern _Bool library_compare_exchange_##n(volatile void *, void *, type, int, int) AS("compare_exchange_" #n);
#define UPDATE(n, type, name) extern type library_##name##_##n(volatile void *, type, int) AS(#name "_" #n);
#define UPDATES(n, type) \
    LOADS(n, type) \
    UPDATE(n, type, fetch_add) UPDATE(n, type, fetch_sub) UPDATE(n, type, fetch_and) UPDATE(n, type, fetch_or) \
    UPDATE(n, type, fetch_xor) UPDATE(n, type, fetch_nand) UPDATE(n, type, add_fetch) UPDATE(n, type, sub_fetch)
UPDATES(1, uint8_t)
UPDATES(2, uint16_t)
UPDATES(4, uint32_t)
UPDATES(8, uint64_t)
LOADS(16, sixteen)
extern void library_load(size_t, const volatile void *, void *, int) AS("load");
extern void library_store(size_t, volatile void *, void *, int) AS("store");
extern void library_exchange(size_t, volatile void *, void *, void *, int) AS("exchange");
extern _Bool library_compare_exchange(size_t, volatile void *, void *, void *, int, int) AS("compare_exchange");
extern _Bool library_is_lock_free(size_t, const volatile void *) AS("is_lock_free");
