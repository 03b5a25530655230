// what: `<<=` of a 64-bit integer
// expect: overflow=violated
// why: 2 to the 63 is one more than the greatest long long
int main(void) {
    long long power = 1;
    for (int i = 0; i < 63; i++)
        power <<= 1; //~ OVERFLOW
    return power == 0;
}
