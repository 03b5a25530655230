//// one unprotected read: atomic f
static int f(void) { return x; }
THREAD(t, f()) THREAD(u, x = 1) BOTH(t, u)

//// two unprotected reads: interrupted f
static int f(void) { return x + x; }
THREAD(t, f()) THREAD(u, x = 1) BOTH(t, u)

//// reads of two variables: interrupted f
static int f(void) { int s = y; return s + x; }
THREAD(t, f()) THREAD(u, y = 1; x = 1) BOTH(t, u)

//// reads of what no thread writes: atomic f
static int f(void) { return x + y + x; }
THREAD(t, f()) BOTH(t, t)

//// an increment: interrupted f
static void f(void) { x++; }
THREAD(t, f()) BOTH(t, t)

//// an atomic increment: atomic f
static void f(void) { a++; }
THREAD(t, f()) BOTH(t, t)

//// two atomic increments: interrupted f
static void f(void) { a++; a++; }
THREAD(t, f()) BOTH(t, t)

//// atomics of two variables: interrupted f
static void f(void) { a++; b++; }
THREAD(t, f()) BOTH(t, t)

//// an atomic read and write: interrupted f
static void f(void) { a = a + 1; }
THREAD(t, f()) BOTH(t, t)

//// an exchange that is tried once: atomic f
static int f(void) { int s = 0; return atomic_compare_exchange_strong(&a, &s, 1); }
THREAD(t, f()) BOTH(t, t)

//// a loop of exchanges: interrupted f
static void f(void) { int s = a; while (!atomic_compare_exchange_strong(&a, &s, s + 1)) continue; }
THREAD(t, f()) BOTH(t, t)

//// an atomic step in a section: atomic f
static void f(void) { LOCK(m); x++; a++; x++; UNLOCK(m); }
static void g(void) { a++; }
THREAD(t, f()) THREAD(u, g()) BOTH(t, u)

//// two atomic steps in a section: interrupted f
static void f(void) { LOCK(m); x++; a++; a++; UNLOCK(m); }
static void g(void) { a++; }
THREAD(t, f()) THREAD(u, g()) BOTH(t, u)

//// a read before the section: interrupted f
static void f(void) { int s = x; LOCK(m); x = s + 1; UNLOCK(m); }
THREAD(t, f()) BOTH(t, t)

//// a read after the section: interrupted f
static int f(void) { LOCK(m); x++; UNLOCK(m); return x; }
THREAD(t, f()) BOTH(t, t)

//// a value that main alone writes before: atomic f
static void f(void) { LOCK(m); y += x; UNLOCK(m); }
THREAD(t, f())
int main(void) {
    pthread_t i, j;
    x = 3;
    pthread_create(&i, 0, t, 0);
    pthread_create(&j, 0, t, 0);
    pthread_join(i, 0);
    pthread_join(j, 0);
    x = 4;
    return 0;
}

//// after the joins: atomic f
static void f(void) { x++; y++; x++; }
THREAD(t, LOCK(m); x++; UNLOCK(m))
int main(void) {
    pthread_t i, j;
    pthread_create(&i, 0, t, 0);
    pthread_create(&j, 0, t, 0);
    pthread_join(i, 0);
    pthread_join(j, 0);
    f();
    return 0;
}

//// one join is missing: interrupted f
static void f(void) { x++; y++; x++; }
THREAD(t, x++)
int main(void) {
    pthread_t i, j;
    pthread_create(&i, 0, t, 0);
    pthread_create(&j, 0, t, 0);
    pthread_join(i, 0);
    f();
    return 0;
}

//// a block of its own: atomic f
static int f(void) { int *p = malloc(4); *p = 1; *p += 2; int s = *p; free(p); return s; }
THREAD(t, f()) BOTH(t, t)

//// a block that is published last: atomic f
static int *g;
static void f(void) { int *p = malloc(4); *p = 1; *p += 2; LOCK(m); g = p; UNLOCK(m); }
THREAD(t, f()) THREAD(u, LOCK(m); if (g) x = *g; UNLOCK(m)) BOTH(t, u)

//// a block that is changed after its publication: interrupted f
static int *g;
static void f(void) { int *p = malloc(4); *p = 1; LOCK(m); g = p; UNLOCK(m); *p = 2; }
THREAD(t, f()) THREAD(u, LOCK(m); if (g) x = *g; UNLOCK(m)) BOTH(t, u)

//// a thread-local variable: atomic f
static _Thread_local int k;
static int f(void) { k++; k++; return k; }
THREAD(t, f()) BOTH(t, t)

//// an array copied word by word: interrupted f
static long v[2], w[2];
static void f(void) { memcpy(v, w, sizeof v); }
THREAD(t, f()) THREAD(u, long s = v[0]; v[1] = s) BOTH(t, u)

//// a structure of one word: interrupted f
struct pair { int s, t; } v, w;
static void f(void) { struct pair q = v; v = q; }
THREAD(t, f()) BOTH(t, t)

//// across a boundary of words: interrupted f
struct __attribute__((packed)) { char s[5]; int t; } v;
static void f(void) { v.t = 5; }
THREAD(t, f()) THREAD(u, v.t = 6) BOTH(t, u)

//// volatile does not help: interrupted f
static volatile int v;
static void f(void) { v = v + 1; }
THREAD(t, f()) BOTH(t, t)

//// an address that two names have: interrupted f
static int *q = &x;
static void f(void) { LOCK(m); x++; x++; UNLOCK(m); }
THREAD(t, f()) THREAD(u, *q = 4) BOTH(t, u)

//// elements by their index: atomic f
static struct { pthread_mutex_t l; int k; } v[2];
static void f(int i) { LOCK(v[i].l); v[i].k++; v[i].k++; UNLOCK(v[i].l); }
THREAD(t, f(0)) THREAD(u, f(1); sched_yield(); f(0)) BOTH(t, u)

//// an atomic section: atomic f g
static void f(void) { __VERIFIER_atomic_begin(); x++; y++; x++; __VERIFIER_atomic_end(); }
static void g(void) { x = 1; }
THREAD(t, f()) THREAD(u, g()) BOTH(t, u)

//// two atomic sections: interrupted f
static void f(void) {
    __VERIFIER_atomic_begin(); x++; __VERIFIER_atomic_end();
    __VERIFIER_atomic_begin(); x++; __VERIFIER_atomic_end();
}
THREAD(t, f()) BOTH(t, t)

//// nested atomic sections: atomic f g
static void g(void) { __VERIFIER_atomic_begin(); x++; __VERIFIER_atomic_end(); }
static void f(void) { __VERIFIER_atomic_begin(); g(); x++; y++; __VERIFIER_atomic_end(); }
THREAD(t, f()) THREAD(u, f()) BOTH(t, u)

//// a section that a function begins and another ends: atomic f enter; interrupted leave
static void enter(void) { __VERIFIER_atomic_begin(); x++; }
static void leave(void) { x++; __VERIFIER_atomic_end(); y = x; }
static void f(void) { enter(); y++; y++; __VERIFIER_atomic_end(); }
THREAD(t, f()) THREAD(u, enter(); leave()) BOTH(t, u)

//// a section, then a step: interrupted f
static void f(void) { __VERIFIER_atomic_begin(); x++; y++; __VERIFIER_atomic_end(); a++; }
THREAD(t, f()) THREAD(u, __VERIFIER_atomic_begin(); x++; __VERIFIER_atomic_end(); a++) BOTH(t, u)

//// a lock taken in an atomic section: atomic f
static void f(void) { __VERIFIER_atomic_begin(); LOCK(m); x++; y++; UNLOCK(m); __VERIFIER_atomic_end(); }
THREAD(t, f()) THREAD(u, LOCK(m); x++; UNLOCK(m)) BOTH(t, u)
