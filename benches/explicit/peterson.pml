/* Peterson's filter lock; the counterpart of peterson.c. One access of a shared variable is one step; what is local is
 * part of the step before it. */
#ifndef N
#define N 3
#endif
#ifndef M
#define M 2
#endif
byte level[N];
byte last[N];
byte counter;

/* To the next thread to look at, the next level, or the critical section. */
#define NEXT \
    other++; \
    if :: other == me -> other++ :: else fi; \
    if :: other < N -> goto look :: else fi; \
    other = 0; \
    l++; \
    if :: l < N -> goto climb :: else fi; \
    goto critical

proctype thread(byte me) {
    byte l = 1;
    byte next;
    byte other;
climb:
    level[me] = l;
    atomic { last[l] = me; other = (me == 0 -> 1 : 0) };
look:
    if
    :: level[other] >= l
    :: atomic { level[other] < l -> NEXT }
    fi;
    if
    :: last[l] == me -> goto look
    :: atomic { last[l] != me -> NEXT }
    fi;
critical:
    next = (counter + 1) % M;
    counter = next;
    assert(counter == next);
    atomic { level[me] = 0; l = 1; next = 0; goto climb }
}

init {
    byte i;
    do
    :: atomic { i < N - 1 -> run thread(i); i++ }
    :: atomic { i == N - 1 -> run thread(i); break }
    od;
    false
}
