// what: printf's %n writes a shared variable while another thread reads it
// expect: race=violated
#include <pthread.h>
#include <stdio.h>
static int count;
static void *thread(void *unused) {
    printf("abc%n\n", &count); //~ RACE
    return 0;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, thread, 0);
    int seen = count; //~ RACE
    pthread_join(a, 0);
    return seen > 3;
}
