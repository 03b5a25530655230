/* Models of two primitives that the library does not know, as a user writes them: a ticket lock and a latch.
 *
 * Every section acquires what it reads and releases what it writes, so that races by state are complete. The lock begins
 * with the number of the thread that holds it, and tells of holding by events: so it has the reductions of a mutex. Who is
 * served next is the scheduler's choice, as for every lock: the tickets themselves are not kept. A latch that counts down
 * carries nothing to the thread that does so, and need not acquire.
 */
void __raddle_begin(void);
void __raddle_end(void);
_Noreturn void __raddle_block(int why, const void *object, int owner);
int __raddle_self(void);
void __raddle_acquire(const void *object, int channel);
void __raddle_release(const void *object, int channel);
void __raddle_event(int event, const void *object);
void __raddle_fault(int property, const char *message, const void *object);
enum { WAIT_MUTEX = 1, WAIT_OTHER = 9, LOCK = 1, UNLOCK = 3, LOCKS = 2 };

struct ticket_lock { int owner; };
struct latch { int count; };

void ticket_lock(struct ticket_lock *lock) {
    __raddle_begin();
    if (lock->owner) __raddle_block(WAIT_MUTEX, lock, lock->owner);
    lock->owner = __raddle_self();
    __raddle_acquire(lock, 0);
    __raddle_release(lock, 0);
    __raddle_event(LOCK, lock);
    __raddle_end();
}

void ticket_unlock(struct ticket_lock *lock) {
    __raddle_begin();
    __raddle_acquire(lock, 0);
    if (lock->owner != __raddle_self()) __raddle_fault(LOCKS, "unlock of a ticket lock that is not held", lock);
    lock->owner = 0;
    __raddle_release(lock, 0);
    __raddle_event(UNLOCK, lock);
    __raddle_end();
}

void latch_count_down(struct latch *latch) {
    __raddle_begin();
    latch->count--;
    __raddle_release(latch, 0);
    __raddle_end();
}

void latch_wait(struct latch *latch) {
    __raddle_begin();
    if (latch->count) __raddle_block(WAIT_OTHER, latch, 0);
    __raddle_acquire(latch, 0);
    __raddle_end();
}
