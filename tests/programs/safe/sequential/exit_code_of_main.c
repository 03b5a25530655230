// what: the value that main returns is the exit code
// expect: assert=ok
// output: 
// exit: 42
int main(void) { return 42; }
