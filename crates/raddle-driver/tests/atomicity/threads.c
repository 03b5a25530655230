//// a wait: interrupted f
static void f(void) { LOCK(m); if (!x) pthread_cond_wait(&c, &m); x = 0; UNLOCK(m); }
static void g(void) { LOCK(m); x = 1; pthread_cond_signal(&c); UNLOCK(m); }
THREAD(t, f()) THREAD(u, g()) BOTH(t, u)

//// a wait that is passed at once is one all the same: missed f
static void f(void) { LOCK(m); if (x) pthread_cond_wait(&c, &m); UNLOCK(m); }
THREAD(t, f()) THREAD(u, LOCK(m); x = 0; UNLOCK(m)) BOTH(t, u)

//// signals under the mutex: atomic g h
static void f(void) { LOCK(m); if (!x) pthread_cond_wait(&c, &m); UNLOCK(m); }
static void g(void) { LOCK(m); x = 1; pthread_cond_signal(&c); pthread_cond_broadcast(&c); UNLOCK(m); }
static void h(void) { LOCK(m); x = 1; pthread_cond_signal(&c); UNLOCK(m); }
THREAD(t, f()) THREAD(u, g(); sched_yield(); h()) BOTH(t, u)

//// two signals, once without the mutex: interrupted g
static void f(void) { LOCK(m); if (!x) pthread_cond_wait(&c, &m); UNLOCK(m); }
static void g(void) { LOCK(m); x = 1; pthread_cond_signal(&c); pthread_cond_signal(&c); UNLOCK(m); }
THREAD(t, f()) THREAD(u, g()) THREAD(v, pthread_cond_signal(&c))
int main(void) {
    pthread_t i;
    pthread_create(&i, 0, t, 0);
    pthread_create(&i, 0, t, 0);
    pthread_create(&i, 0, u, 0);
    pthread_create(&i, 0, v, 0);
    return 0;
}

//// two signals beside a timed wait: interrupted g
static void f(void) { struct timespec s = {1, 0}; LOCK(m); if (!x) pthread_cond_timedwait(&c, &m, &s); UNLOCK(m); }
static void g(void) { LOCK(m); pthread_cond_signal(&c); pthread_cond_signal(&c); UNLOCK(m); }
THREAD(t, f()) THREAD(u, g())
int main(void) {
    pthread_t i;
    pthread_create(&i, 0, t, 0);
    pthread_create(&i, 0, t, 0);
    pthread_create(&i, 0, u, 0);
    return 0;
}

//// a signal after the section: interrupted g
static void f(void) { LOCK(m); if (!x) pthread_cond_wait(&c, &m); x = 0; UNLOCK(m); }
static void g(void) { LOCK(m); x = 1; UNLOCK(m); pthread_cond_signal(&c); }
THREAD(t, f()) THREAD(u, g()) BOTH(t, u)

//// a thread is created last: atomic f
THREAD(child, LOCK(m); x++; UNLOCK(m))
static void f(void) { pthread_t i; LOCK(m); x++; UNLOCK(m); pthread_create(&i, 0, child, 0); }
THREAD(t, LOCK(m); x++; UNLOCK(m))
int main(void) { pthread_t i; pthread_create(&i, 0, t, 0); f(); return 0; }

//// created, then a section: interrupted f
THREAD(child, LOCK(m); x++; UNLOCK(m))
static void f(void) { pthread_t i; pthread_create(&i, 0, child, 0); LOCK(m); x++; UNLOCK(m); }
int main(void) { f(); return 0; }

//// created and joined: interrupted f
THREAD(child, x++)
static void f(void) { pthread_t i; pthread_create(&i, 0, child, 0); pthread_join(i, 0); }
int main(void) { f(); return 0; }

//// joined, then a section: atomic f
THREAD(child, LOCK(m); x++; UNLOCK(m))
THREAD(other, LOCK(m); x++; UNLOCK(m))
static void f(pthread_t i) { pthread_join(i, 0); LOCK(m); x++; UNLOCK(m); }
int main(void) {
    pthread_t i, j;
    pthread_create(&i, 0, child, 0);
    pthread_create(&j, 0, other, 0);
    f(i);
    return 0;
}

//// a section, then joined: interrupted f
THREAD(child, LOCK(m); x++; UNLOCK(m))
static void f(pthread_t i) { LOCK(m); x++; UNLOCK(m); pthread_join(i, 0); }
int main(void) { pthread_t i; pthread_create(&i, 0, child, 0); f(i); return 0; }

//// the identity is read by the child: interrupted f
static pthread_t i;
THREAD(child, y = (int)i)
static void f(void) { pthread_create(&i, 0, child, 0); }
int main(void) { f(); return 0; }

//// joined by another thread: interrupted f
static pthread_t i;
THREAD(child, x++)
THREAD(other, pthread_join(i, 0); a++)
static void f(void) { pthread_join(i, 0); a++; }
int main(void) {
    pthread_t j;
    pthread_create(&i, 0, child, 0);
    pthread_create(&j, 0, other, 0);
    f();
    return 0;
}

//// beside a query of the thread: atomic f
#include <signal.h>
static pthread_t i;
THREAD(child, x++)
static void f(void) { a++; pthread_kill(i, 0); }
THREAD(other, f(); sched_yield(); a++)
int main(void) {
    pthread_t j, k;
    pthread_create(&i, 0, child, 0);
    pthread_create(&j, 0, other, 0);
    pthread_create(&k, 0, other, 0);
    return 0;
}

//// a semaphore as a lock: missed f
static sem_t s;
static void f(void) { sem_wait(&s); x++; sem_post(&s); }
THREAD(t, f())
int main(void) {
    pthread_t i, j;
    sem_init(&s, 0, 1);
    pthread_create(&i, 0, t, 0);
    pthread_create(&j, 0, t, 0);
    return 0;
}

//// two posts: interrupted f
static sem_t s;
static void f(void) { sem_post(&s); sem_post(&s); }
THREAD(t, f()) THREAD(u, sem_wait(&s); sem_wait(&s)) BOTH(t, u)

//// a barrier: interrupted f
static pthread_barrier_t k;
static void f(void) { LOCK(m); x++; UNLOCK(m); pthread_barrier_wait(&k); LOCK(m); x++; UNLOCK(m); }
THREAD(t, f())
int main(void) {
    pthread_t i;
    pthread_barrier_init(&k, 0, 2);
    pthread_create(&i, 0, t, 0);
    t(0);
    return 0;
}

//// once: interrupted f
static pthread_once_t k = PTHREAD_ONCE_INIT;
static void first(void) { x = 1; a++; }
static void f(void) { a++; pthread_once(&k, first); }
THREAD(t, f()) BOTH(t, t)

//// recursion: atomic f; interrupted g
static void f(int i) { x++; if (i) f(i - 1); }
static void g(int i) { LOCK(m); f(1); UNLOCK(m); if (i) g(i - 1); }
THREAD(t, g(1)) BOTH(t, t)

//// recursion that never returns is no call: atomic f
static void f(int i) { a++; if (i) for (;;) sched_yield(); }
THREAD(t, f(0)) THREAD(u, f(1))
int main(void) {
    pthread_t i, j;
    pthread_create(&i, 0, t, 0);
    pthread_create(&j, 0, u, 0);
    return 0;
}

//// what follows the end of the thread: atomic f
static void f(int i) { a++; if (i) { a++; pthread_exit(0); } }
THREAD(t, f(0)) THREAD(u, f(1)) BOTH(t, u)

//// through a pointer: interrupted f; atomic one
static void one(void) { LOCK(m); x++; UNLOCK(m); }
static void two(void) { LOCK(m); x++; UNLOCK(m); LOCK(m); x++; UNLOCK(m); }
static void f(int i) { void (*g)(void) = i ? one : two; g(); }
THREAD(t, f(a++)) BOTH(t, t)

//// through a table: atomic f
static void one(void) { LOCK(m); x++; UNLOCK(m); }
static void two(void) { LOCK(m); x--; UNLOCK(m); }
static void (*const table[2])(void) = {one, two};
static void f(int i) { table[i & 1](); }
THREAD(t, f(a++)) BOTH(t, t)

//// a function that only calls: interrupted f; atomic g
static void g(void) { LOCK(m); x++; UNLOCK(m); }
static void f(void) { g(); sched_yield(); g(); }
THREAD(t, f()) BOTH(t, t)

//// freed beside its use: interrupted f
static int *q;
static void f(void) { LOCK(m); if (q) *q = 1; UNLOCK(m); a++; }
THREAD(t, f()) THREAD(u, LOCK(m); free(q); q = 0; UNLOCK(m); a++)
int main(void) {
    pthread_t i, j;
    q = malloc(4);
    pthread_create(&i, 0, t, 0);
    pthread_create(&j, 0, u, 0);
    pthread_join(i, 0);
    pthread_join(j, 0);
    return 0;
}

//// a local that another thread writes: interrupted f
THREAD(child, *(int *)given = 1)
static int f(void) { int k = 0; pthread_t i; pthread_create(&i, 0, child, &k); int s = k + k; pthread_join(i, 0); return s; }
int main(void) { return f() & 0; }

//// figure 1a: interrupted add; atomic read_balance
static int bal = 1;
static int read_balance(void) { LOCK(m); int s = bal; UNLOCK(m); return s; }
static void add(int val) { int cur = read_balance(); LOCK(m); bal = val + cur; UNLOCK(m); }
THREAD(t, add(5)) BOTH(t, t)

//// figure 1b: atomic add read_balance
static int bal = 1;
static int read_balance(void) { return bal; }
static void add(int val) { LOCK(m); int cur = read_balance(); bal = val + cur; UNLOCK(m); }
THREAD(t, add(5)) THREAD(u, read_balance()) BOTH(t, u)

//// the identity of a C11 thread is read by the child: interrupted f
#include <threads.h>
static struct { thrd_t id; } *q;
static int child(void *p) { y = (int)q->id; return 0; }
static void f(void) { a++; thrd_create(&q->id, child, 0); }
THREAD(other, a++; y = (int)q->id; a++)
int main(void) { pthread_t i; q = calloc(1, sizeof *q); pthread_create(&i, 0, other, 0); f(); return 0; }
