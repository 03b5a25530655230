//// one section: atomic f
static void f(void) { LOCK(m); x++; UNLOCK(m); }
THREAD(t, f()) BOTH(t, t)

//// two sections of one lock: interrupted f
static void f(void) { LOCK(m); x++; UNLOCK(m); LOCK(m); x++; UNLOCK(m); }
THREAD(t, f()) BOTH(t, t)

//// two sections of two locks: interrupted f
static void f(void) { LOCK(m); x++; UNLOCK(m); LOCK(n); y++; UNLOCK(n); }
THREAD(t, f()) BOTH(t, t)

//// two locks in two phases: atomic f g
static void f(void) { LOCK(m); x++; LOCK(n); y++; UNLOCK(m); UNLOCK(n); }
static void g(void) { LOCK(n); y--; UNLOCK(n); }
THREAD(t, f()) THREAD(u, g()) BOTH(t, u)

//// released, then another is taken: interrupted f; atomic g
static void f(void) { LOCK(m); x++; UNLOCK(m); LOCK(n); y++; UNLOCK(n); }
static void g(void) { LOCK(m); x--; LOCK(n); y--; UNLOCK(n); UNLOCK(m); }
THREAD(t, f()) THREAD(u, g()) BOTH(t, u)

//// hand over hand, the last part alone: interrupted f
static pthread_mutex_t o = PTHREAD_MUTEX_INITIALIZER;
static void f(void) { LOCK(m); x++; LOCK(n); UNLOCK(m); y++; LOCK(o); UNLOCK(n); z++; UNLOCK(o); }
static void g(void) { LOCK(o); z++; UNLOCK(o); LOCK(m); x++; UNLOCK(m); }
THREAD(t, f()) THREAD(u, g(); sched_yield(); g()) BOTH(t, u)

//// a second lock that one thread alone takes: atomic f g
static void f(void) { LOCK(m); x++; UNLOCK(m); LOCK(n); y++; UNLOCK(n); }
static void g(void) { LOCK(m); x++; UNLOCK(m); }
THREAD(t, f()) THREAD(u, g()) BOTH(t, u)

//// a lock that is taken only under another: atomic f
static void f(void) { LOCK(m); LOCK(n); x++; UNLOCK(n); LOCK(n); x++; UNLOCK(n); UNLOCK(m); }
THREAD(t, f()) BOTH(t, t)

//// the same, and once without: interrupted f; atomic g
static void f(void) { LOCK(m); LOCK(n); x++; UNLOCK(n); LOCK(n); x++; UNLOCK(n); UNLOCK(m); }
static void g(void) { LOCK(n); x++; UNLOCK(n); }
THREAD(t, f()) THREAD(u, g()) BOTH(t, u)

//// a lock that is tried elsewhere: interrupted f; atomic g
static void f(void) { LOCK(m); x++; UNLOCK(m); }
static void g(void) { if (pthread_mutex_trylock(&m) == 0) UNLOCK(m); }
THREAD(t, f()) THREAD(u, g(); sched_yield(); a++) BOTH(t, u)

//// a try that may fail and then something: interrupted g
static void f(void) { LOCK(m); x++; UNLOCK(m); a++; }
static void g(void) { if (pthread_mutex_trylock(&m) == 0) { x++; UNLOCK(m); } else a++; }
THREAD(t, f()) THREAD(u, g()) BOTH(t, u)

//// a timed lock elsewhere: interrupted f
static void f(void) { LOCK(m); x++; UNLOCK(m); }
static void g(void) { struct timespec s = {1, 0}; if (pthread_mutex_timedlock(&m, &s) == 0) UNLOCK(m); }
THREAD(t, f()) THREAD(u, g()) BOTH(t, u)

//// a try under the lock that all hold: atomic f
static void f(void) { LOCK(m); if (pthread_mutex_trylock(&n) == 0) { x++; UNLOCK(n); } UNLOCK(m); }
THREAD(t, f()) BOTH(t, t)

//// a foreign release: interrupted f
static void f(void) { LOCK(m); x++; x++; UNLOCK(m); }
static void g(void) { UNLOCK(m); LOCK(m); x++; UNLOCK(m); }
THREAD(t, f()) THREAD(u, g()) BOTH(t, u)

//// another lock: interrupted f
static void f(void) { LOCK(m); x++; x++; UNLOCK(m); }
static void g(void) { LOCK(n); x++; UNLOCK(n); }
THREAD(t, f()) THREAD(u, g()) BOTH(t, u)

//// taken by one function and released by another: atomic f enter leave
static void enter(void) { LOCK(m); }
static void leave(void) { UNLOCK(m); }
static void f(void) { enter(); x++; leave(); }
THREAD(t, f()) BOTH(t, t)

//// called with the lock: atomic add f; interrupted g
static void add(void) { x++; y++; }
static void f(void) { LOCK(m); add(); add(); UNLOCK(m); }
static void g(void) { LOCK(m); add(); UNLOCK(m); sched_yield(); LOCK(m); add(); UNLOCK(m); }
THREAD(t, f()) THREAD(u, g()) BOTH(t, u)

//// called with the lock and once without: interrupted add
static void add(void) { x++; y++; }
static void f(void) { LOCK(m); add(); UNLOCK(m); }
THREAD(t, f()) THREAD(u, add()) BOTH(t, u)

//// an early return: atomic f
static int f(int k) { LOCK(m); if (x == k) { UNLOCK(m); return 1; } x = k; UNLOCK(m); return 0; }
THREAD(t, f(1)) THREAD(u, f(2)) BOTH(t, u)

//// a return that keeps the lock: atomic f g
static int f(int k) { LOCK(m); if (k) return 1; UNLOCK(m); return 0; }
static void g(int k) { if (f(k)) { x++; UNLOCK(m); } }
THREAD(t, g(1)) THREAD(u, g(0)) BOTH(t, u)

//// a test outside of the section: interrupted f
static void f(void) { if (!x) { LOCK(m); x = 1; UNLOCK(m); } }
THREAD(t, f()) BOTH(t, t)

//// a recursive mutex: atomic f g
static pthread_mutex_t r;
static void g(void) { LOCK(r); x++; UNLOCK(r); }
static void f(void) { LOCK(r); g(); x++; UNLOCK(r); }
THREAD(t, f()) THREAD(u, g())
int main(void) {
    pthread_mutexattr_t k;
    pthread_t i, j;
    pthread_mutexattr_init(&k);
    pthread_mutexattr_settype(&k, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&r, &k);
    pthread_create(&i, 0, t, 0);
    pthread_create(&j, 0, u, 0);
    pthread_join(i, 0);
    pthread_join(j, 0);
    return 0;
}

//// a recursive mutex, released in between: interrupted f
static pthread_mutex_t r;
static void g(void) { LOCK(r); x++; UNLOCK(r); }
static void f(void) { LOCK(r); g(); UNLOCK(r); sched_yield(); g(); }
THREAD(t, f()) THREAD(u, g())
int main(void) {
    pthread_mutexattr_t k;
    pthread_t i, j;
    pthread_mutexattr_init(&k);
    pthread_mutexattr_settype(&k, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&r, &k);
    pthread_create(&i, 0, t, 0);
    pthread_create(&j, 0, u, 0);
    pthread_join(i, 0);
    pthread_join(j, 0);
    return 0;
}

//// readers and a writer: atomic get set
static int get(void) { pthread_rwlock_rdlock(&rw); int s = x + y; pthread_rwlock_unlock(&rw); return s; }
static void set(void) { pthread_rwlock_wrlock(&rw); x++; y--; pthread_rwlock_unlock(&rw); }
THREAD(t, get()) THREAD(u, set()) BOTH(t, u)

//// readers alone may part: missed twice
static int twice(void) {
    pthread_rwlock_rdlock(&rw); int s = x; pthread_rwlock_unlock(&rw);
    pthread_rwlock_rdlock(&rw); s += x; pthread_rwlock_unlock(&rw);
    return s;
}
THREAD(t, twice()) BOTH(t, t)

//// a reader that parts, beside a writer: interrupted twice; atomic set
static int twice(void) {
    pthread_rwlock_rdlock(&rw); int s = x; pthread_rwlock_unlock(&rw);
    pthread_rwlock_rdlock(&rw); s += x; pthread_rwlock_unlock(&rw);
    return s;
}
static void set(void) { pthread_rwlock_wrlock(&rw); x++; pthread_rwlock_unlock(&rw); }
THREAD(t, twice()) THREAD(u, set()) BOTH(t, u)

//// a write under a read lock: interrupted f
static void f(void) { pthread_rwlock_rdlock(&rw); x++; pthread_rwlock_unlock(&rw); }
THREAD(t, f()) BOTH(t, t)

//// from a read lock to a write lock: interrupted f
static void f(void) {
    pthread_rwlock_rdlock(&rw); int s = x; pthread_rwlock_unlock(&rw);
    pthread_rwlock_wrlock(&rw); x = s + 1; pthread_rwlock_unlock(&rw);
}
THREAD(t, f()) BOTH(t, t)

//// a write lock that is tried: interrupted get
static int get(void) { pthread_rwlock_rdlock(&rw); int s = x; pthread_rwlock_unlock(&rw); return s; }
static void try(void) { if (pthread_rwlock_trywrlock(&rw) == 0) pthread_rwlock_unlock(&rw); }
THREAD(t, get()) THREAD(u, try()) BOTH(t, u)

//// a spin lock: atomic f
static pthread_spinlock_t s;
static void f(void) { pthread_spin_lock(&s); x++; y++; pthread_spin_unlock(&s); }
THREAD(t, f())
int main(void) {
    pthread_t i, j;
    pthread_spin_init(&s, 0);
    pthread_create(&i, 0, t, 0);
    pthread_create(&j, 0, t, 0);
    pthread_join(i, 0);
    pthread_join(j, 0);
    return 0;
}

//// the lock of the object: atomic f
struct box { pthread_mutex_t l; int k; } *p;
static void f(struct box *q) { LOCK(q->l); q->k++; q->k++; UNLOCK(q->l); }
THREAD(t, f(p))
int main(void) {
    pthread_t i, j;
    p = malloc(sizeof *p);
    pthread_mutex_init(&p->l, 0);
    p->k = 0;
    pthread_create(&i, 0, t, 0);
    pthread_create(&j, 0, t, 0);
    pthread_join(i, 0);
    pthread_join(j, 0);
    return 0;
}

//// the lock of another object: interrupted f
struct box { pthread_mutex_t l; int k; } one, two;
static void f(struct box *q, struct box *r) { LOCK(q->l); r->k++; r->k++; UNLOCK(q->l); }
THREAD(t, f(&one, &two)) THREAD(u, f(&two, &two)) BOTH(t, u)

//// a loop of sections: interrupted f
static void f(void) { for (int i = 0; i < 2; i++) { LOCK(m); x++; UNLOCK(m); } }
THREAD(t, f()) BOTH(t, t)

//// a loop in a section: atomic f
static void f(void) { LOCK(m); for (int i = 0; i < 2; i++) x++; UNLOCK(m); }
THREAD(t, f()) BOTH(t, t)

//// made again beside its users: interrupted f
static void f(void) { LOCK(m); x++; UNLOCK(m); }
static void g(void) { pthread_mutex_init(&m, 0); x = 5; }
THREAD(t, f()) THREAD(u, g()) BOTH(t, u)

//// the bytes of the lock are read: interrupted f
static int seen;
static void f(void) { LOCK(m); x++; UNLOCK(m); }
static void g(void) { seen = *(volatile int *)&m; }
THREAD(t, f()) THREAD(u, g(); sched_yield(); g()) BOTH(t, u)
