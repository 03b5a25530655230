// what: send reads the bytes of a buffer that another thread still writes
// expect: race=violated
#include <pthread.h>
#include <sys/socket.h>

static char answer[9];

static void *writer(void *unused) {
    answer[8] = 'x'; //~ RACE
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, writer, 0);
    send(3, answer, sizeof answer, 0); //~ RACE
    pthread_join(thread, 0);
    return 0;
}
