/* A model of a primitive that the library does not know: a coin that falls on one of two sides. */
unsigned long long __raddle_choose(unsigned long long count);
void __raddle_begin(void);
void __raddle_end(void);

struct coin { int side; };

void coin_toss(struct coin *coin) {
    __raddle_begin();
    coin->side = (int)__raddle_choose(2);
    __raddle_end();
}

int coin_side(struct coin *coin) {
    __raddle_begin();
    int side = coin->side;
    __raddle_end();
    return side;
}
