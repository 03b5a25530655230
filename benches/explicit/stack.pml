/* A lock-free stack; the counterpart of stack.c. A compare-and-swap is one step: it fails and reads, or succeeds. */
#ifndef N
#define N 2
#endif
byte head;
bit used[N + 1];
byte next[N + 1];

proctype pusher(byte me) {
    byte top;
    do
    :: used[me]
    :: !used[me] ->
       used[me] = 1;
       top = head;
       do
       :: next[me] = top;
          if
          :: d_step { head == top -> head = me; top = 0 }; break
          :: d_step { head != top -> top = head }
          fi
       od
    od
}

proctype taker() {
    byte node, after;
take:
    atomic { node = head; head = 0; if :: node == 0 -> goto take :: else fi };
walk:
    after = next[node];
    assert(used[node]);
    atomic { used[node] = 0; node = after; after = 0; if :: node == 0 -> goto take :: else -> goto walk fi }
}

init {
    byte i = 1;
    do
    :: atomic { i <= N -> run pusher(i); i++ }
    :: atomic { i == N + 1 -> run taker(); break }
    od;
    false
}
