/* Dekker's algorithm; the counterpart of dekker.c. */
#ifndef ROUNDS
#define ROUNDS 10
#endif
byte wants[2];
byte turn;
short stamp;

proctype thread(byte me) {
    short round;
enter:
    wants[me] = 1;
look:
    if
    :: wants[1 - me]
    :: !wants[1 - me] -> goto critical
    fi;
    if
    :: turn == me -> goto look
    :: turn != me
    fi;
    wants[me] = 0;
    do
    :: turn != me
    :: turn == me -> break
    od;
    wants[me] = 1;
    goto look;
critical:
    stamp = 2 * round + me;
    assert(stamp == 2 * round + me);
    turn = 1 - me;
    atomic { wants[me] = 0; round = (round + 1) % ROUNDS; goto enter }
}

init {
    run thread(0);
    run thread(1);
    false
}
