/* A sense-reversing barrier; the counterpart of barrier.c. */
#ifndef N
#define N 3
#endif
byte missing = N;
bit sense;
byte round_of[N];

proctype thread(byte me) {
    byte round = 1;
    do
    :: round_of[me] = round;
       if
       :: d_step { missing == 1 -> missing = 0 };
          missing = N;
          sense = round % 2
       :: d_step { missing > 1 -> missing-- };
          do
          :: sense != round % 2
          :: sense == round % 2 -> break
          od
       fi;
       atomic { assert((round_of[(me + 1) % N] - round + 4) % 4 <= 1); round = (round + 1) % 4 }
    od
}

init {
    byte i;
    do
    :: atomic { i < N - 1 -> run thread(i); i++ }
    :: atomic { i == N - 1 -> run thread(i); break }
    od;
    false
}
