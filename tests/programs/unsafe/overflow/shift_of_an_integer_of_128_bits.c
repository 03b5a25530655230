// what: the same for an integer that takes two registers
// expect: overflow=violated
// why: 2 to the 127 is one more than the greatest __int128
int main(void) {
    volatile int amount = 127;
    __int128 one = 1;
    __int128 power = one << amount; //~ OVERFLOW
    return power == 0;
}
