/* Readers and writers under a read-write lock without preference; the counterpart of readers_writers.c. */
#ifndef READERS
#define READERS 2
#endif
#ifndef WRITERS
#define WRITERS 1
#endif
#ifndef M
#define M 3
#endif
byte readers;
bit writing;
byte one, two;

proctype reader() {
    byte seen;
    do
    :: atomic { !writing -> readers++ };
       seen = one;
       d_step { assert(seen == two); seen = 0 };
       readers--
    od
}

proctype writer() {
    byte seen;
    do
    :: atomic { !writing && readers == 0 -> writing = 1 };
       seen = one;
       d_step { one = (seen + 1) % M; seen = 0 };
       seen = two;
       d_step { two = (seen + 1) % M; seen = 0 };
       writing = 0
    od
}

init {
    byte i;
    do
    :: atomic { i < READERS -> run reader(); i++ }
    :: atomic { i >= READERS && i < READERS + WRITERS - 1 -> run writer(); i++ }
    :: atomic { i == READERS + WRITERS - 1 -> run writer(); break }
    od;
    false
}
