// what: a section with a choice in it falls between two operations of another thread that read what it writes
// why: the section stops at its choice before it has touched anything; up to its end it is one operation all the same
// expect: assert=violated
// options: --models {folder}/../../../models/own_coin.c
// explicit: race=bounded (the side of a coin comes without an order)
#include <assert.h>
#include <pthread.h>

struct coin { int side; };
void coin_toss(struct coin *coin);
int coin_side(struct coin *coin);

static struct coin coin;

static void *look(void *unused) {
    int first = coin_side(&coin);
    int second = coin_side(&coin);
    int third = coin_side(&coin);
    assert(!(first == 0 && second == 1 && third == 0)); //~ ASSERT
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, look, 0);
    coin_toss(&coin);
    coin_toss(&coin);
    pthread_join(thread, 0);
    return 0;
}
