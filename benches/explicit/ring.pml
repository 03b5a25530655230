/* Dijkstra's token ring; the counterpart of ring.c. */
#ifndef N
#define N 3
#endif
#ifndef K
#define K 4
#endif
byte states[N];
byte worker;

proctype machine(byte me) {
    byte before, mine;
look:
    before = states[(me + N - 1) % N];
    atomic {
        mine = states[me];
        if
        :: (me == 0 && before == mine) || (me != 0 && before != mine)
        :: else -> before = 0; mine = 0; goto look
        fi
    };
    worker = me;
    assert(worker == me);
    atomic { states[me] = (me == 0 -> (mine + 1) % K : before); before = 0; mine = 0; goto look }
}

init {
    byte i;
    do
    :: atomic { i < N - 1 -> run machine(i); i++ }
    :: atomic { i == N - 1 -> run machine(i); break }
    od;
    false
}
