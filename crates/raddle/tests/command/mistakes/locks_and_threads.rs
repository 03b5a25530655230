//! Mistakes in the use of threads, as a report says them.

use super::*;

const WAIT: &str = "\
#include <assert.h>
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int ready;
void *w(void *p) {
    pthread_mutex_lock(&m);
    ready = 1;
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    return p;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, w, 0);
    pthread_mutex_lock(&m);
    while (!ready) pthread_cond_wait(&c, &m);
    pthread_mutex_unlock(&m);
    pthread_join(t, 0);
}
";
const MUTEX_THAT_WAS_NOT_INITIALISED: &str = "\
#include <pthread.h>
#include <stdlib.h>
typedef struct { pthread_mutex_t lock; int n; } counter;
int main(void) {
    counter *c = malloc(sizeof *c);
    c->n = 0;
    pthread_mutex_lock(&c->lock);
    c->n++;
    pthread_mutex_unlock(&c->lock);
    return 0;
}
";
const MUTEX_THAT_WAS_NOT_INITIALISED_CURED: &str = "\
#include <pthread.h>
#include <stdlib.h>
typedef struct { pthread_mutex_t lock; int n; } counter;
int main(void) {
    counter *c = malloc(sizeof *c);
    c->n = 0;
    pthread_mutex_init(&c->lock, 0);
    pthread_mutex_lock(&c->lock);
    c->n++;
    pthread_mutex_unlock(&c->lock);
    return 0;
}
";
const SEMAPHORE_THAT_WAS_NOT_INITIALISED: &str = "\
#include <semaphore.h>
int main(void) {
    sem_t s;
    sem_wait(&s);
}
";
const SEMAPHORE_THAT_WAS_NOT_INITIALISED_CURED: &str = "\
#include <semaphore.h>
int main(void) {
    sem_t s;
    sem_init(&s, 0, 1);
    sem_wait(&s);
}
";
const VOLATILE_FLAG: &str = "\
#include <pthread.h>
volatile int ready;
void *w(void *p) {
    ready = 1;
    return p;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, w, 0);
    while (!ready) {
    }
    pthread_join(t, 0);
}
";
const FORGOTTEN_JOIN: &str = "\
#include <assert.h>
#include <pthread.h>
int x;
void *w(void *p) {
    x = 1;
    return p;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, w, 0);
    assert(x == 1);
}
";
const FORGOTTEN_JOIN_CURED: &str = "\
#include <assert.h>
#include <pthread.h>
int x;
void *w(void *p) {
    x = 1;
    return p;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, w, 0);
    pthread_join(t, 0);
    assert(x == 1);
}
";
const JOIN_OF_A_JOINED_THREAD: &str = "\
#include <assert.h>
#include <pthread.h>
void *w(void *p) {
    return p;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, w, 0);
    pthread_join(t, 0);
    pthread_join(t, 0);
}
";
const JOIN_OF_A_JOINED_THREAD_CURED: &str = "\
#include <assert.h>
#include <pthread.h>
void *w(void *p) {
    return p;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, w, 0);
    pthread_join(t, 0);
}
";
const JOIN_OF_A_DETACHED_THREAD: &str = "\
#include <assert.h>
#include <pthread.h>
void *w(void *p) {
    return p;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, w, 0);
    pthread_detach(t);
    pthread_join(t, 0);
}
";
const UNLOCK_WITHOUT_A_LOCK: &str = "\
#include <assert.h>
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int main(void) {
    pthread_mutex_unlock(&m);
}
";
const UNLOCK_WITHOUT_A_LOCK_CURED: &str = "\
#include <assert.h>
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int main(void) {
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
}
";
const PATH_WITHOUT_AN_UNLOCK: &str = "\
#include <assert.h>
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int bad = 1;
int put(void) {
    pthread_mutex_lock(&m);
    if (bad) return -1;
    pthread_mutex_unlock(&m);
    return 0;
}
int main(void) {
    put();
    put();
}
";
const PATH_WITHOUT_AN_UNLOCK_CURED: &str = "\
#include <assert.h>
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int bad = 1;
int put(void) {
    pthread_mutex_lock(&m);
    if (bad) { pthread_mutex_unlock(&m); return -1; }
    pthread_mutex_unlock(&m);
    return 0;
}
int main(void) {
    put();
    put();
}
";
const LOCKS_IN_TWO_ORDERS: &str = "\
#include <assert.h>
#include <pthread.h>
pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
void *w(void *p) {
    pthread_mutex_lock(&b);
    pthread_mutex_lock(&a);
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
    return p;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, w, 0);
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b);
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    pthread_join(t, 0);
}
";
const LOCKS_IN_TWO_ORDERS_CURED: &str = "\
#include <assert.h>
#include <pthread.h>
pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
void *w(void *p) {
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b);
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    return p;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, w, 0);
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b);
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    pthread_join(t, 0);
}
";
const WAIT_WITHOUT_A_LOOP: &str = "\
#include <assert.h>
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int ready;
void *w(void *p) {
    pthread_mutex_lock(&m);
    ready = 1;
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    return p;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, w, 0);
    pthread_mutex_lock(&m);
    if (!ready) pthread_cond_wait(&c, &m);
    assert(ready);
    pthread_mutex_unlock(&m);
    pthread_join(t, 0);
}
";
const WAIT_WITHOUT_A_LOOP_CURED: &str = "\
#include <assert.h>
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int ready;
void *w(void *p) {
    pthread_mutex_lock(&m);
    ready = 1;
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    return p;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, w, 0);
    pthread_mutex_lock(&m);
    while (!ready) pthread_cond_wait(&c, &m);
    assert(ready);
    pthread_mutex_unlock(&m);
    pthread_join(t, 0);
}
";
const WAIT_WITHOUT_THE_MUTEX: &str = "\
#include <assert.h>
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int ready;
void *w(void *p) {
    pthread_mutex_lock(&m);
    ready = 1;
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    return p;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, w, 0);
    pthread_cond_wait(&c, &m);
    pthread_join(t, 0);
}
";
const SIGNAL_THAT_NOBODY_WAITS_FOR: &str = "\
#include <assert.h>
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int ready;
void *w(void *p) {
    pthread_mutex_lock(&m);
    ready = 1;
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    return p;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, w, 0);
    pthread_mutex_lock(&m);
    pthread_cond_wait(&c, &m);
    pthread_mutex_unlock(&m);
    pthread_join(t, 0);
}
";
const BARRIER_FOR_TOO_MANY: &str = "\
#include <assert.h>
#include <pthread.h>
pthread_barrier_t b;
void *w(void *p) {
    pthread_barrier_wait(&b);
    return p;
}
int main(void) {
    pthread_t t;
    pthread_barrier_init(&b, 0, 3);
    pthread_create(&t, 0, w, 0);
    w(0);
    pthread_join(t, 0);
}
";
const BARRIER_FOR_TOO_MANY_CURED: &str = "\
#include <assert.h>
#include <pthread.h>
pthread_barrier_t b;
void *w(void *p) {
    pthread_barrier_wait(&b);
    return p;
}
int main(void) {
    pthread_t t;
    pthread_barrier_init(&b, 0, 2);
    pthread_create(&t, 0, w, 0);
    w(0);
    pthread_join(t, 0);
}
";
const TWO_LOCKS_FOR_ONE_VARIABLE: &str = "\
#include <assert.h>
#include <pthread.h>
pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
int x;
void *w(void *p) {
    pthread_mutex_lock(&b);
    x++;
    pthread_mutex_unlock(&b);
    return p;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, w, 0);
    pthread_mutex_lock(&a);
    x++;
    pthread_mutex_unlock(&a);
    pthread_join(t, 0);
}
";
const TWO_LOCKS_FOR_ONE_VARIABLE_CURED: &str = "\
#include <assert.h>
#include <pthread.h>
pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
int x;
void *w(void *p) {
    pthread_mutex_lock(&a);
    x++;
    pthread_mutex_unlock(&a);
    return p;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, w, 0);
    pthread_mutex_lock(&a);
    x++;
    pthread_mutex_unlock(&a);
    pthread_join(t, 0);
}
";
const MUTEX_THAT_IS_NOT_RECURSIVE: &str = "\
#include <assert.h>
#include <pthread.h>
pthread_mutex_t m;
int main(void) {
    pthread_mutexattr_t a;
    pthread_mutexattr_init(&a);
    pthread_mutex_init(&m, &a);
    pthread_mutex_lock(&m);
    pthread_mutex_lock(&m);
}
";
const MUTEX_THAT_IS_NOT_RECURSIVE_CURED: &str = "\
#include <assert.h>
#include <pthread.h>
pthread_mutex_t m;
int main(void) {
    pthread_mutexattr_t a;
    pthread_mutexattr_init(&a);
    pthread_mutexattr_settype(&a, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&m, &a);
    pthread_mutex_lock(&m);
    pthread_mutex_lock(&m);
}
";
const VARIABLE_OF_A_LOOP_SHARED_WITH_THREADS: &str = "\
#include <assert.h>
#include <pthread.h>
int got[2], number[2] = {0, 1};
void *w(void *p) { got[*(int *)p] = 1; return p; }
int main(void) {
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], 0, w, &i);
    for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
    assert(got[0] && got[1]);
}
";
const VARIABLE_OF_A_LOOP_SHARED_WITH_THREADS_CURED: &str = "\
#include <assert.h>
#include <pthread.h>
int got[2], number[2] = {0, 1};
void *w(void *p) { got[*(int *)p] = 1; return p; }
int main(void) {
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], 0, w, &number[i]);
    for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
    assert(got[0] && got[1]);
}
";
const LOCAL_VARIABLE_FOR_A_THREAD: &str = "\
#include <assert.h>
#include <pthread.h>
void *w(void *p) { *(int *)p = 1; return p; }
void start(pthread_t *t) {
    int local;
    pthread_create(t, 0, w, &local);
}
int main(void) {
    pthread_t t;
    start(&t);
    pthread_join(t, 0);
}
";
const LOCAL_VARIABLE_FOR_A_THREAD_CURED: &str = "\
#include <assert.h>
#include <pthread.h>
void *w(void *p) { *(int *)p = 1; return p; }
void start(pthread_t *t) {
    static int local;
    pthread_create(t, 0, w, &local);
}
int main(void) {
    pthread_t t;
    start(&t);
    pthread_join(t, 0);
}
";

#[test]
fn locks_and_threads() {
    try_all(&[
        Mistake {
            name: "mutex that was not initialised",
            files: &[("a.c", MUTEX_THAT_WAS_NOT_INITIALISED)],
            command: &["check", "a.c"],
            code: 1,
            says: &["use of a mutex that was not initialised: c->lock, at a.c:7:5"],
            repaired: &[("a.c", MUTEX_THAT_WAS_NOT_INITIALISED_CURED)],
            cure: &[],
            cured: 0,
            then: "result: proved",
        },
        Mistake {
            name: "semaphore that was not initialised",
            files: &[("a.c", SEMAPHORE_THAT_WAS_NOT_INITIALISED)],
            command: &["check", "a.c"],
            code: 1,
            says: &["use of a semaphore that was not initialised: s, at a.c:4:5"],
            repaired: &[("a.c", SEMAPHORE_THAT_WAS_NOT_INITIALISED_CURED)],
            cure: &[],
            cured: 0,
            then: "result: proved",
        },
        Mistake {
            name: "volatile flag",
            files: &[("a.c", VOLATILE_FLAG)],
            command: &["check", "a.c"],
            code: 1,
            says: &["data race on ready", "both accesses are volatile", "--volatile-is-atomic checks it so"],
            repaired: &[],
            cure: &["check", "a.c", "--volatile-is-atomic=seq_cst"],
            cured: 0,
            then: "result: proved",
        },
        Mistake {
            name: "forgotten join",
            files: &[("a.c", FORGOTTEN_JOIN)],
            command: &["check", "a.c"],
            code: 1,
            says: &[
                "assertion `x == 1` failed, at a.c:11:5",
                "data race on x: unordered read and write",
                "no creation or join orders the access",
            ],
            repaired: &[("a.c", FORGOTTEN_JOIN_CURED)],
            cure: &[],
            cured: 0,
            then: "result: proved",
        },
        Mistake {
            name: "join of a joined thread",
            files: &[("a.c", JOIN_OF_A_JOINED_THREAD)],
            command: &["check", "a.c"],
            code: 1,
            says: &["join of a thread that was already joined, at a.c:10:5"],
            repaired: &[("a.c", JOIN_OF_A_JOINED_THREAD_CURED)],
            cure: &[],
            cured: 0,
            then: "result: proved",
        },
        Mistake {
            name: "join of a detached thread",
            files: &[("a.c", JOIN_OF_A_DETACHED_THREAD)],
            command: &["check", "a.c"],
            code: 1,
            says: &["join of a detached thread, at a.c:10:5"],
            repaired: &[("a.c", JOIN_OF_A_JOINED_THREAD_CURED)],
            cure: &[],
            cured: 0,
            then: "result: proved",
        },
        Mistake {
            name: "unlock without a lock",
            files: &[("a.c", UNLOCK_WITHOUT_A_LOCK)],
            command: &["check", "a.c"],
            code: 1,
            says: &["unlock of a mutex that is not locked: m, at a.c:5:5"],
            repaired: &[("a.c", UNLOCK_WITHOUT_A_LOCK_CURED)],
            cure: &[],
            cured: 0,
            then: "result: proved",
        },
        Mistake {
            name: "path without an unlock",
            files: &[("a.c", PATH_WITHOUT_AN_UNLOCK)],
            command: &["check", "a.c"],
            code: 1,
            says: &[
                "waits for mutex m, which it already holds since a.c:6:5",
                "called at a.c:13:5 in main",
                "takes it again at a.c:6 without a release between",
            ],
            repaired: &[("a.c", PATH_WITHOUT_AN_UNLOCK_CURED)],
            cure: &[],
            cured: 0,
            then: "result: proved",
        },
        Mistake {
            name: "locks in two orders",
            files: &[("a.c", LOCKS_IN_TWO_ORDERS)],
            command: &["check", "a.c"],
            code: 1,
            says: &[
                "waits for mutex b, held by T1 w since a.c:5:5",
                "one order of these locks in every thread avoids the cycle, such as a before b",
            ],
            repaired: &[("a.c", LOCKS_IN_TWO_ORDERS_CURED)],
            cure: &[],
            cured: 0,
            then: "result: proved",
        },
        Mistake {
            name: "wait without a loop",
            files: &[("a.c", WAIT_WITHOUT_A_LOOP)],
            command: &["check", "a.c"],
            code: 1,
            says: &["assertion `ready` failed, at a.c:18:5", "stops waiting: spurious wake-up"],
            repaired: &[("a.c", WAIT_WITHOUT_A_LOOP_CURED)],
            cure: &[],
            cured: 0,
            then: "result: proved",
        },
        Mistake {
            name: "wait without the mutex",
            files: &[("a.c", WAIT_WITHOUT_THE_MUTEX)],
            command: &["check", "a.c", "-p", "locks"],
            code: 1,
            says: &["wait on a condition variable without holding the mutex: m, at a.c:16:5"],
            repaired: &[("a.c", WAIT)],
            cure: &[],
            cured: 0,
            then: "result: proved",
        },
        Mistake {
            name: "signal without a waiter",
            files: &[("a.c", SIGNAL_THAT_NOBODY_WAITS_FOR)],
            command: &["check", "a.c", "-p", "deadlock"],
            code: 1,
            says: &[
                "1 thread is blocked forever, at a.c:17:5",
                "waits for a signal on c",
                "no remaining thread can unblock them",
            ],
            repaired: &[("a.c", WAIT)],
            cure: &[],
            cured: 0,
            then: "result: proved",
        },
        Mistake {
            name: "barrier for too many",
            files: &[("a.c", BARRIER_FOR_TOO_MANY)],
            command: &["check", "a.c", "-p", "deadlock"],
            code: 1,
            says: &["2 threads are blocked forever, at a.c:5:5", "waits for other threads at barrier b"],
            repaired: &[("a.c", BARRIER_FOR_TOO_MANY_CURED)],
            cure: &[],
            cured: 0,
            then: "result: proved",
        },
        Mistake {
            name: "two locks for one variable",
            files: &[("a.c", TWO_LOCKS_FOR_ONE_VARIABLE)],
            command: &["check", "a.c", "-p", "race"],
            code: 1,
            says: &[
                "data race on x",
                "the locks differ: T0 main holds a, T1 w holds b",
                "x is declared at a.c:4",
            ],
            repaired: &[("a.c", TWO_LOCKS_FOR_ONE_VARIABLE_CURED)],
            cure: &[],
            cured: 0,
            then: "result: proved",
        },
        Mistake {
            name: "mutex that is not recursive",
            files: &[("a.c", MUTEX_THAT_IS_NOT_RECURSIVE)],
            command: &["check", "a.c", "-p", "deadlock"],
            code: 1,
            says: &["T0 main took mutex m at a.c:8 and takes it again at a.c:9 without a release between"],
            repaired: &[("a.c", MUTEX_THAT_IS_NOT_RECURSIVE_CURED)],
            cure: &[],
            cured: 0,
            then: "result: proved",
        },
        Mistake {
            name: "variable of a loop shared with threads",
            files: &[("a.c", VARIABLE_OF_A_LOOP_SHARED_WITH_THREADS)],
            command: &["check", "a.c"],
            code: 1,
            says: &[
                "data race on i: unordered write and read, at a.c:4:24",
                "i is declared at a.c:7",
                "assertion `got[0] && got[1]` failed",
            ],
            repaired: &[("a.c", VARIABLE_OF_A_LOOP_SHARED_WITH_THREADS_CURED)],
            cure: &[],
            cured: 0,
            then: "result: proved",
        },
        Mistake {
            name: "local variable for a thread",
            files: &[("a.c", LOCAL_VARIABLE_FOR_A_THREAD)],
            command: &["check", "a.c"],
            code: 1,
            says: &["a local variable is used after its lifetime, at a.c:3:30"],
            repaired: &[("a.c", LOCAL_VARIABLE_FOR_A_THREAD_CURED)],
            cure: &[],
            cured: 0,
            then: "result: proved",
        },
    ]);
}
