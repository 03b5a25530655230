/* Threads that count under a test-and-test-and-set lock; the counterpart of spinlock.c. */
#ifndef N
#define N 3
#endif
#ifndef M
#define M 4
#endif
bit lock;
short counter;

proctype thread() {
    short next;
    do
    :: lock
    :: !lock ->
       if
       :: lock
       :: atomic { !lock -> lock = 1 };
          next = (counter + 1) % M;
          counter = next;
          assert(counter == next);
          d_step { lock = 0; next = 0 }
       fi
    od
}

init {
    byte i;
    do
    :: atomic { i < N - 1 -> run thread(); i++ }
    :: atomic { i == N - 1 -> run thread(); break }
    od;
    false
}
