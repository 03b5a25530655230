// what: main, alone, leaves by pthread_exit: the process ends, and what only its variable pointed to is a leak
// expect: leak=violated
// options: --property leak
#include <pthread.h>
#include <stdlib.h>

int main(void) {
    char *text = malloc(3); //~ LEAK
    text[0] = 0;
    pthread_exit(NULL);
}
