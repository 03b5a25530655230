// what: a jump buffer that the program wrote to leads nowhere
// expect: memsafety=violated
#include <setjmp.h>

jmp_buf buffer;

int main(void) {
    if (setjmp(buffer)) return 1;
    ((int *)buffer)[2] = 99999;
    longjmp(buffer, 1); //~ MEMSAFETY
}
