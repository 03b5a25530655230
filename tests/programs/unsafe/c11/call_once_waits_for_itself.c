// what: the routine of call_once calls call_once with the same flag
// expect: deadlock=violated
#include <threads.h>

static once_flag once = ONCE_FLAG_INIT;
static void routine(void) {
    call_once(&once, routine); //~ DEADLOCK
}

int main(void) {
    call_once(&once, routine);
    return 0;
}
