// what: a variable of the loop's body is set in the first iteration only, and every iteration starts anew
// expect: memsafety=violated

int main(void) {
    int sum = 0;
    for (int i = 0; i < 3; i++) {
        int x;
        if (i == 0) x = 1;
        if (x) sum++; //~ MEMSAFETY
    }
    return sum;
}
