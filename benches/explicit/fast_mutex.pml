/* Lamport's fast mutual exclusion; the counterpart of fast_mutex.c. */
#ifndef N
#define N 3
#endif
bit busy[N + 1];
byte door;
byte gate;
byte owner;

proctype thread(byte me) {
    byte other;
enter:
    busy[me] = 1;
    door = me;
    if
    :: gate != 0 -> busy[me] = 0; goto wait
    :: gate == 0
    fi;
    gate = me;
    if
    :: door == me -> goto critical
    :: door != me
    fi;
    atomic { busy[me] = 0; other = 1 };
look:
    if
    :: busy[other] -> goto look
    :: atomic { !busy[other] ->
        other++;
        if :: other <= N -> goto look :: else -> other = 0 fi
       }
    fi;
    if
    :: gate == me -> goto critical
    :: gate != me
    fi;
wait:
    if
    :: gate != 0 -> goto wait
    :: gate == 0 -> goto enter
    fi;
critical:
    owner = me;
    assert(owner == me);
    gate = 0;
    busy[me] = 0;
    goto enter
}

init {
    byte i;
    do
    :: atomic { i < N - 1 -> run thread(i + 1); i++ }
    :: atomic { i == N - 1 -> run thread(i + 1); break }
    od;
    false
}
