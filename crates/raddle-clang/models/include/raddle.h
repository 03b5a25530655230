/* raddle.h: what a program can say to raddle.
 *
 * Include it (raddle puts it on the include path by itself) and call these functions in the program or in a test
 * harness around it. There is nothing to link: raddle knows what they mean. They are meant for programs that are
 * checked, not for programs that are run.
 */
#ifndef RADDLE_H
#define RADDLE_H
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* -- any value ---------------------------------------------------------------------------------------------------
 * Each call gives any value of its type: raddle looks at all of them, or, in a sampled run, at some. Use them for
 * input: arguments, messages, sizes, what a device returns. */
int raddle_any_bool(void); /* 0 or 1 */
char raddle_any_char(void);
signed char raddle_any_schar(void);
unsigned char raddle_any_uchar(void);
short raddle_any_short(void);
unsigned short raddle_any_ushort(void);
int raddle_any_int(void);
unsigned raddle_any_uint(void);
long raddle_any_long(void);
unsigned long raddle_any_ulong(void);
long long raddle_any_llong(void);
unsigned long long raddle_any_ullong(void);
size_t raddle_any_size(void);
float raddle_any_float(void);   /* any pattern of bits: also infinities and NaN */
double raddle_any_double(void); /* any pattern of bits: also infinities and NaN */

/* Any integer from low to high, both included. Prefer it to raddle_any_int with an assumption: there is less to try. */
long long raddle_any_in(long long low, long long high);

/* -- assumptions and assertions ----------------------------------------------------------------------------------
 * raddle_assume(c): only runs in which c holds here are looked at. A thread whose assumption fails stands still for
 * ever; that is never reported as a deadlock. Too strong an assumption hides bugs.
 * raddle_assert(c): c must hold here in every run. The same as assert of <assert.h>, but NDEBUG does not remove it. */
void raddle_assume(int condition);
void raddle_assert(int condition);
#ifndef __cplusplus
void __assert_fail(const char *, const char *, unsigned, const char *) __attribute__((__noreturn__, __nothrow__));
#define raddle_assert(condition) ((condition) ? (void)0 : __assert_fail(#condition, __FILE__, __LINE__, __func__))
#endif

/* -- what a harness takes for granted ----------------------------------------------------------------------------
 * raddle_assumption("..."): the sentence, a string literal, is printed with the verdict where the call can be reached
 * and the result of the calling function is used. It changes nothing. */
#define raddle_assumption(sentence) __raddle_fixed(sentence)
void __raddle_fixed(const char *sentence);

/* -- atomic sections ---------------------------------------------------------------------------------------------
 * Between begin and end no other thread takes a step. Sections nest. For data races they count as one global lock:
 * a plain access outside can still race with one inside. Blocking inside is a deadlock. */
void raddle_atomic_begin(void);
void raddle_atomic_end(void);

/* -- scheduling --------------------------------------------------------------------------------------------------
 * raddle_yield(): another thread may well run now. It changes nothing in what is possible (raddle considers a switch
 * at every visible step anyway), but a switch here does not count as a preemption.
 * raddle_progress(): "something useful was done". A run that goes on for ever without passing a progress mark is a
 * livelock, and breaks the property `termination`; without any such call in the program, `termination` asks that every
 * run ends. A mark is a step of its own. */
void raddle_yield(void);
void raddle_progress(void);

/* -- invariants --------------------------------------------------------------------------------------------------
 * raddle_invariant(f): from here on f() must give non-zero after each visible operation of any thread, except inside
 * atomic sections. f must be a function that reads global variables only and takes no lock; what it writes is forgotten.
 * At most 16 functions. */
void raddle_invariant(int (*holds)(void));

/* -- what `raddle lint` checks -----------------------------------------------------------------------------------
 * They change nothing, and are nothing under other compilers than clang.
 * RADDLE_ATOMIC before the definition of a function: in every run, each of its calls that returns could have been made
 * without another thread in between.
 * RADDLE_GUARDED_BY(lock) after the name of a global variable or a member: it is accessed with the lock held (written with an
 * exclusive hold) while other threads run. The lock is a variable, a member of one, or another member of the same structure:
 * `int count RADDLE_GUARDED_BY(lock);`.
 * RADDLE_REQUIRES(lock, ...) before the definition of a function: its callers hold the locks. A lock may be named by a
 * parameter: `RADDLE_REQUIRES(queue->lock)`.
 * RADDLE_NOT_SHARED after the name of a global variable: one thread alone accesses it while others run.
 * RADDLE_MEMBER_GUARDED_BY(lock): the same for members.
 * With RADDLE_CLANG_ATTRIBUTES they are attributes of clang's thread-safety analysis, too, and the lock functions of POSIX are
 * declared with its attributes: clang -Wthread-safety -Wno-thread-safety-attributes -DRADDLE_CLANG_ATTRIBUTES. Members have a
 * macro of their own, since clang 14 knows no other member there. */
#if defined(__clang__) && defined(__has_attribute)
#if __has_attribute(btf_decl_tag)
#define RADDLE_ANNOTATION(text) __attribute__((annotate(text), btf_decl_tag(text)))
#define RADDLE_TAG(text) __attribute__((btf_decl_tag(text)))
#endif
#endif
#ifndef RADDLE_ANNOTATION
#define RADDLE_ANNOTATION(text)
#define RADDLE_TAG(text)
#endif
#define RADDLE_ATOMIC RADDLE_ANNOTATION("raddle.atomic")
#define RADDLE_NOT_SHARED RADDLE_ANNOTATION("raddle.not_shared")
/* An annotation of a member would be an instruction at each access. */
#define RADDLE_MEMBER_GUARDED_BY(lock) RADDLE_TAG("raddle.guarded_by(" #lock ")")
#ifdef RADDLE_CLANG_ATTRIBUTES
#define RADDLE_GUARDED_BY(lock) RADDLE_ANNOTATION("raddle.guarded_by(" #lock ")") __attribute__((guarded_by(lock)))
#define RADDLE_REQUIRES(...) \
    RADDLE_ANNOTATION("raddle.requires(" #__VA_ARGS__ ")") __attribute__((requires_capability(__VA_ARGS__)))
#else
#define RADDLE_GUARDED_BY(lock) RADDLE_ANNOTATION("raddle.guarded_by(" #lock ")")
#define RADDLE_REQUIRES(...) RADDLE_ANNOTATION("raddle.requires(" #__VA_ARGS__ ")")
#endif
#if defined(RADDLE_CLANG_ATTRIBUTES) && defined(__clang__)
/* What clang's analysis knows of the lock functions. */
#include <pthread.h>
#include <time.h>
#define RADDLE_ACQUIRES(lock) __attribute__((acquire_capability(lock)))
#define RADDLE_ACQUIRES_SHARED(lock) __attribute__((acquire_shared_capability(lock)))
#define RADDLE_TRIES(lock) __attribute__((try_acquire_capability(0, lock)))
#define RADDLE_TRIES_SHARED(lock) __attribute__((try_acquire_shared_capability(0, lock)))
#define RADDLE_RELEASES(lock) __attribute__((release_capability(lock)))
#define RADDLE_RELEASES_ANY(lock) __attribute__((release_generic_capability(lock)))
#define RADDLE_WAITS(lock) __attribute__((requires_capability(lock)))
int pthread_mutex_lock(pthread_mutex_t *lock) RADDLE_ACQUIRES(lock);
int pthread_mutex_trylock(pthread_mutex_t *lock) RADDLE_TRIES(lock);
int pthread_mutex_timedlock(pthread_mutex_t *lock, const struct timespec *until) RADDLE_TRIES(lock);
int pthread_mutex_unlock(pthread_mutex_t *lock) RADDLE_RELEASES(lock);
int pthread_spin_lock(pthread_spinlock_t *lock) RADDLE_ACQUIRES(lock);
int pthread_spin_trylock(pthread_spinlock_t *lock) RADDLE_TRIES(lock);
int pthread_spin_unlock(pthread_spinlock_t *lock) RADDLE_RELEASES(lock);
int pthread_rwlock_rdlock(pthread_rwlock_t *lock) RADDLE_ACQUIRES_SHARED(lock);
int pthread_rwlock_tryrdlock(pthread_rwlock_t *lock) RADDLE_TRIES_SHARED(lock);
int pthread_rwlock_wrlock(pthread_rwlock_t *lock) RADDLE_ACQUIRES(lock);
int pthread_rwlock_trywrlock(pthread_rwlock_t *lock) RADDLE_TRIES(lock);
int pthread_rwlock_unlock(pthread_rwlock_t *lock) RADDLE_RELEASES_ANY(lock);
int pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *lock) RADDLE_WAITS(lock);
int pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *lock, const struct timespec *until)
    RADDLE_WAITS(lock);
#endif

#ifdef __cplusplus
}
#endif
#endif
