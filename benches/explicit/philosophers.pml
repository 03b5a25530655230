/* Dining philosophers with ordered forks; the counterpart of philosophers.c. Taking a free fork is one step. */
#ifndef N
#define N 3
#endif
bit taken[N];
bit eating[N];

proctype philosopher(byte me; byte first; byte second) {
    do
    :: atomic { !taken[first] -> taken[first] = 1 };
       atomic { !taken[second] -> taken[second] = 1 };
       eating[me] = 1;
       assert(!eating[(me + 1) % N]);
       assert(!eating[(me + N - 1) % N]);
       eating[me] = 0;
       taken[second] = 0;
       taken[first] = 0
    od
}

init {
    byte i;
    do
    :: atomic { i < N - 1 -> run philosopher(i, i, i + 1); i++ }
    :: atomic { i == N - 1 -> run philosopher(i, 0, i); break }
    od;
    false
}
