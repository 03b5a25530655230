// what: a section with a choice in it beside operations that read what it writes; whatever it chose, it is one of two sides
// expect: assert=ok deadlock=ok memsafety=ok overflow=ok locks=ok
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
    assert(first >= 0 && first + second <= 2);
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
