// what: assert is called without its header
// expect: assert=violated
int main(void) {
    int x = 2;
    assert(x == 2);
    assert(x == 3); //~ ASSERT
    return 0;
}
