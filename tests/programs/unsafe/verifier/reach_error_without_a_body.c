// what: reach_error without a body of the user must not be reached
// expect: assert=violated
void reach_error(void);

int main(void) {
    reach_error(); //~ ASSERT
    return 0;
}
