// what: the divisor becomes zero on the last round
// expect: overflow=violated
int main(void) {
    int sum = 0;
    for (int i = 3; i >= 0; i--) sum += 12 / i; //~ OVERFLOW
    return sum == 0;
}
