// what: functions with the attribute destructor run at exit, after the handlers, in the reverse order of constructors
// expect: assert=ok
// output: constructor\nmain\nsecond handler\nhandler\nlater destructor\ndestructor\nof priority 300\nof priority 200\n
// exit: 0
#include <stdio.h>
#include <stdlib.h>

static void handler(void) { puts("handler"); }
static void second_handler(void) { puts("second handler"); }
__attribute__((constructor)) static void begin(void) {
    puts("constructor");
    atexit(handler);
}
__attribute__((destructor)) static void end(void) { puts("destructor"); }
__attribute__((destructor)) static void later(void) { puts("later destructor"); }
__attribute__((destructor(200))) static void two(void) { puts("of priority 200"); }
__attribute__((destructor(300))) static void three(void) { puts("of priority 300"); }

int main(void) {
    atexit(second_handler);
    puts("main");
    return 0;
}
