// what: races are judged on the code as it was written, whatever loads the optimiser adds or removes
// expect: race=violated
// options: --optimize 2
#include <pthread.h>

static int flag, data;

static void *writer(void *unused) {
    data = 1;
    flag = 1; //~ RACE
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, writer, NULL);
    int seen = flag; //~ RACE
    pthread_join(thread, NULL);
    return seen > 1;
}
