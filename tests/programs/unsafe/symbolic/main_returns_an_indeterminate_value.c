// what: the value that main returns is indeterminate
// expect: memsafety=violated
int main(void) { //~ MEMSAFETY
    int code;
    return code; //~ MEMSAFETY
}
