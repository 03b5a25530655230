//// created twice: atomic f
THREAD(child, LOCK(m); x++; UNLOCK(m))
static void f(void) { pthread_t i, j; pthread_create(&i, 0, child, 0); pthread_create(&j, 0, child, 0); }
int main(void) { f(); return 0; }

//// joined twice: atomic f
THREAD(child, LOCK(m); x++; UNLOCK(m))
static void f(pthread_t i, pthread_t j) { pthread_join(i, 0); pthread_join(j, 0); }
int main(void) {
    pthread_t i, j;
    pthread_create(&i, 0, child, 0);
    pthread_create(&j, 0, child, 0);
    f(i, j);
    return 0;
}

//// joined, then created: atomic f
THREAD(child, LOCK(m); x++; UNLOCK(m))
static void f(pthread_t i) { pthread_join(i, 0); pthread_create(&i, 0, child, 0); }
int main(void) { pthread_t i; pthread_create(&i, 0, child, 0); f(i); return 0; }

//// created, then another is joined: interrupted f
THREAD(child, LOCK(m); x++; UNLOCK(m))
static void f(pthread_t i) { pthread_t j; pthread_create(&j, 0, child, 0); pthread_join(i, 0); }
int main(void) { pthread_t i; pthread_create(&i, 0, child, 0); f(i); return 0; }

//// written, then created: atomic f
THREAD(child, x++)
static void f(void) { pthread_t i; x = 1; pthread_create(&i, 0, child, 0); }
int main(void) { f(); return 0; }

//// created, then written: interrupted f
THREAD(child, x++)
static void f(void) { pthread_t i; pthread_create(&i, 0, child, 0); x = 1; }
int main(void) { f(); return 0; }

//// left by a thread that is joined: interrupted f
THREAD(grandchild, x++)
static void *child(void *p) { pthread_t i; pthread_create(&i, 0, grandchild, 0); return p; }
static void f(void) { x++; }
int main(void) { pthread_t i; pthread_create(&i, 0, child, 0); pthread_join(i, 0); f(); return 0; }

//// a detached thread: interrupted f
THREAD(child, x++)
static void f(void) { x++; }
int main(void) { pthread_t i; pthread_create(&i, 0, child, 0); pthread_detach(i); f(); return 0; }

//// the pointer changes between the lock and the access: interrupted f
struct box { pthread_mutex_t l; int k; } one, two, *q = &one;
static void f(void) { LOCK(q->l); q->k++; q->k++; UNLOCK(q->l); }
THREAD(t, f()) THREAD(u, q = &two; two.k = 3) BOTH(t, u)

//// a parameter that points to the lock: atomic f
struct box { pthread_mutex_t l; int k; } one;
static void f(pthread_mutex_t *l, int *k) { pthread_mutex_lock(l); ++*k; ++*k; pthread_mutex_unlock(l); }
THREAD(t, f(&one.l, &one.k)) BOTH(t, t)

//// a parameter that points to either lock: interrupted f
static void f(pthread_mutex_t *l) { pthread_mutex_lock(l); x++; x++; pthread_mutex_unlock(l); }
THREAD(t, f(&m)) THREAD(u, f(&n)) BOTH(t, u)

//// a lock by its index, of another element: interrupted f
static pthread_mutex_t l[2];
static int k[2];
static void f(int i, int j) { LOCK(l[i]); k[j]++; k[j]++; UNLOCK(l[i]); }
THREAD(t, f(0, 0)) THREAD(u, f(1, 0)) BOTH(t, u)

//// two locks at one place: interrupted f
static union { pthread_mutex_t l; pthread_spinlock_t s; } w;
static void f(void) { LOCK(w.l); x++; x++; UNLOCK(w.l); }
static void g(void) { pthread_spin_init(&w.s, 0); x++; }
THREAD(t, f()) THREAD(u, g()) BOTH(t, u)

//// taken on a condition and released on it: atomic f
static int on = 1;
static void f(int k) { if (k) LOCK(m); if (k) x++; if (k) UNLOCK(m); }
THREAD(t, f(1)) THREAD(u, f(0)) BOTH(t, u)

//// taken on a condition, accessed without: interrupted f
static void f(int k) { if (k) LOCK(m); x++; x++; if (k) UNLOCK(m); }
THREAD(t, f(1)) THREAD(u, f(0)) BOTH(t, u)

//// C11 locks: atomic f
#include <threads.h>
static mtx_t l;
static void f(void) { mtx_lock(&l); x++; y++; mtx_unlock(&l); }
THREAD(t, f())
int main(void) {
    pthread_t i, j;
    mtx_init(&l, mtx_plain);
    pthread_create(&i, 0, t, 0);
    pthread_create(&j, 0, t, 0);
    pthread_join(i, 0);
    pthread_join(j, 0);
    return 0;
}

//// C11 locks that are tried: interrupted f
#include <threads.h>
static mtx_t l;
static void f(void) { mtx_lock(&l); x++; mtx_unlock(&l); }
static void g(void) { if (mtx_trylock(&l) == thrd_success) mtx_unlock(&l); }
THREAD(t, f()) THREAD(u, g())
int main(void) {
    pthread_t i, j;
    mtx_init(&l, mtx_plain);
    pthread_create(&i, 0, t, 0);
    pthread_create(&j, 0, u, 0);
    pthread_join(i, 0);
    pthread_join(j, 0);
    return 0;
}

//// a spin lock that is tried: interrupted f
static pthread_spinlock_t l;
static void f(void) { pthread_spin_lock(&l); x++; pthread_spin_unlock(&l); }
static void g(void) { if (pthread_spin_trylock(&l) == 0) pthread_spin_unlock(&l); }
THREAD(t, f()) THREAD(u, g())
int main(void) {
    pthread_t i, j;
    pthread_spin_init(&l, 0);
    pthread_create(&i, 0, t, 0);
    pthread_create(&j, 0, u, 0);
    pthread_join(i, 0);
    pthread_join(j, 0);
    return 0;
}

//// a block that grows: interrupted f
static int *q;
static void f(void) { q = realloc(q, 8); }
THREAD(t, f()) THREAD(u, q[0] = 1)
int main(void) {
    pthread_t i, j;
    q = malloc(4);
    pthread_create(&i, 0, t, 0);
    pthread_create(&j, 0, u, 0);
    pthread_join(i, 0);
    pthread_join(j, 0);
    return 0;
}

//// a static local: interrupted f
static int f(void) { static int k; return ++k; }
THREAD(t, f()) BOTH(t, t)

//// the section of a callee and one step: interrupted f; atomic g
static void g(void) { LOCK(m); x++; UNLOCK(m); }
static void f(void) { g(); a++; }
THREAD(t, f()) THREAD(u, g(); sched_yield(); a++) BOTH(t, u)

//// mutual recursion under a lock: atomic f g
static void g(int i);
static void f(int i) { x++; if (i) g(i - 1); }
static void g(int i) { y++; if (i) f(i - 1); }
static void h(void) { LOCK(m); f(2); UNLOCK(m); }
THREAD(t, h()) BOTH(t, t)

//// recursion that releases: interrupted f
static void f(int i) { LOCK(m); x++; UNLOCK(m); if (i) f(i - 1); }
THREAD(t, f(1)) BOTH(t, t)

//// a lock that a callee releases and takes again: interrupted f
static void rest(void) { UNLOCK(m); sched_yield(); LOCK(m); }
static void f(void) { LOCK(m); x++; rest(); x++; UNLOCK(m); }
THREAD(t, f()) BOTH(t, t)

//// a wait in a callee: interrupted f
static void rest(void) { if (!y) pthread_cond_wait(&c, &m); }
static void f(void) { LOCK(m); x++; rest(); x++; UNLOCK(m); }
THREAD(t, f()) THREAD(u, LOCK(m); x++; y = 1; pthread_cond_signal(&c); UNLOCK(m)) BOTH(t, u)

//// a goto out of the section: interrupted f
static void f(int k) { LOCK(m); x++; if (k) goto out; x++; out: UNLOCK(m); LOCK(m); x++; UNLOCK(m); }
THREAD(t, f(1)) BOTH(t, t)

//// a switch with a section in each case: atomic f
static void f(int k) {
    switch (k) {
    case 0: LOCK(m); x++; UNLOCK(m); break;
    case 1: LOCK(n); y++; UNLOCK(n); break;
    default: a++;
    }
}
THREAD(t, f(0); sched_yield(); f(1)) THREAD(u, f(1); sched_yield(); f(2)) BOTH(t, u)

//// falls from one section into another: interrupted f
static void f(int k) {
    switch (k) {
    case 0: LOCK(m); x++; UNLOCK(m);
    case 1: LOCK(n); y++; UNLOCK(n);
    }
}
THREAD(t, f(0)) THREAD(u, LOCK(m); x++; UNLOCK(m); LOCK(n); y++; UNLOCK(n)) BOTH(t, u)

//// a flag instead of a lock: interrupted f
static atomic_flag l = ATOMIC_FLAG_INIT;
static void f(void) { if (!atomic_flag_test_and_set(&l)) { x++; atomic_flag_clear(&l); } }
THREAD(t, f()) BOTH(t, t)

//// a compare-exchange, then a read of what it left: missed f
static int f(void) { int s = 0; atomic_compare_exchange_strong(&a, &s, 1); return a; }
THREAD(t, f()) BOTH(t, t)

//// a bit-field beside another: interrupted f
static struct { int s : 3, t : 5; } w;
static void f(void) { w.s = 1; }
THREAD(t, f()) THREAD(u, w.t = 2) BOTH(t, u)

//// two members of one word: atomic f
static struct { short s, t; } w;
static void f(void) { w.s = 1; w.s = 2; }
THREAD(t, f()) THREAD(u, w.t = 2) BOTH(t, u)

//// a string that another thread changes: interrupted f
static char s[4] = "ab";
static int f(void) { return (int)strlen(s); }
THREAD(t, f()) THREAD(u, s[0] = 'c'; s[1] = 0) BOTH(t, u)

//// the identity of the thread: atomic f
static int f(void) { pthread_t i = pthread_self(); pthread_t j = pthread_self(); return pthread_equal(i, j); }
THREAD(t, f()) BOTH(t, t)
