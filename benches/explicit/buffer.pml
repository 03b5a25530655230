/* A bounded buffer with condition variables; the counterpart of buffer.c. A wait is two steps: giving the mutex up, and
 * waking (by a signal or spuriously) with the mutex taken again. A signal wakes any one waiter. */
#ifndef PRODUCERS
#define PRODUCERS 2
#endif
#ifndef CONSUMERS
#define CONSUMERS 2
#endif
#ifndef CAPACITY
#define CAPACITY 2
#endif
bit mutex;
bit sleeping_full[PRODUCERS];
bit sleeping_empty[CONSUMERS];
byte places[CAPACITY];
byte in, out, count;

#define LOCK atomic { !mutex -> mutex = 1 }
#define UNLOCK mutex = 0
#define WAIT(set, me) \
    d_step { set[me] = 1; mutex = 0 }; \
    atomic { !mutex -> mutex = 1; set[me] = 0 }
/* Any one of those that sleep (at most three); nothing if nobody does. */
#define SIGNAL(set, size) \
    atomic { \
        if \
        :: set[0] -> set[0] = 0 \
        :: size > 1 && set[1 % size] -> set[1 % size] = 0 \
        :: size > 2 && set[2 % size] -> set[2 % size] = 0 \
        :: else \
        fi \
    }

proctype producer(byte me) {
    byte at, seen;
    do
    :: LOCK;
       do
       :: count == CAPACITY -> WAIT(sleeping_full, me)
       :: count != CAPACITY -> break
       od;
       at = in;
       places[at] = me + 1;
       d_step { in = (at + 1) % CAPACITY; at = 0 };
       seen = count;
       d_step { count = seen + 1; seen = 0 };
       SIGNAL(sleeping_empty, CONSUMERS);
       UNLOCK
    od
}

proctype consumer(byte me) {
    byte at, seen, item;
    do
    :: LOCK;
       do
       :: count == 0 -> WAIT(sleeping_empty, me)
       :: count != 0 -> break
       od;
       at = out;
       item = places[at];
       places[at] = 0;
       d_step { out = (at + 1) % CAPACITY; at = 0 };
       seen = count;
       d_step { count = seen - 1; seen = 0 };
       SIGNAL(sleeping_full, PRODUCERS);
       d_step { UNLOCK; assert(item > 0); item = 0 }
    od
}

init {
    byte i;
    do
    :: atomic { i < PRODUCERS -> run producer(i); i++ }
    :: atomic { i >= PRODUCERS && i < PRODUCERS + CONSUMERS - 1 -> run consumer(i - PRODUCERS); i++ }
    :: atomic { i == PRODUCERS + CONSUMERS - 1 -> run consumer(i - PRODUCERS); break }
    od;
    false
}
