// what: a string literal is written
// expect: memsafety=violated
int main(void) {
    char *text = "constant";
    text[0] = 'C'; //~ MEMSAFETY
    return 0;
}
