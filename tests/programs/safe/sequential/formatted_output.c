// what: the conversions of printf: widths, precisions, signs, bases, strings, pointers to null
// expect: assert=ok
// output: [   42] [42   ] [00042] [+42] [ 42]\n[ff] [FF] [0xff] [10] [010] [4294967295]\n[c] [text] [     right] [left      ] [cu] [%]\n[-5] [1099511627776] [-3] [-1] [1]\n[3.141590] [2.000] [1.234500e+03] [0.0001] [1e+20] [   -1.50]\n[     7] [1.00] [0]\nnumber- 12\n3\n00a\n!\n
#include <stdio.h>

int main(void) {
    printf("[%5d] [%-5d] [%05d] [%+d] [% d]\n", 42, 42, 42, 42, 42);
    printf("[%x] [%X] [%#x] [%o] [%#o] [%u]\n", 255, 255, 255, 8, 8, -1);
    printf("[%c] [%s] [%10s] [%-10s] [%.2s] [%%]\n", 'c', "text", "right", "left", "cut");
    printf("[%ld] [%lld] [%hd] [%hhd] [%zu]\n", -5l, 1ll << 40, (short)-3, (signed char)-1, sizeof(char));
    printf("[%f] [%.3f] [%e] [%g] [%g] [%8.2f]\n", 3.14159, 2.0, 1234.5, 0.0001, 1e20, -1.5);
    printf("[%*d] [%.*f] [%.0f]\n", 6, 7, 2, 1.0, 0.5);
    char buffer[8];
    int n = snprintf(buffer, sizeof buffer, "%s-%d", "number", 12345);
    printf("%s %d\n", buffer, n);
    printf("%d\n", sprintf(buffer, "%03x", 10));
    puts(buffer);
    putchar('!');
    fputs("\n", stdout);
    return 0;
}
