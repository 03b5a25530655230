// A buffer of text that several threads append to.
#include <pthread.h>

static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static char text[64];
static unsigned used, lost;

static void put(char c) {
    if (used < sizeof text)
        text[used++] = c;
    else
        lost++;
}

static void line(char c) {
    pthread_mutex_lock(&guard);
    put(c);
    put('\n');
    pthread_mutex_unlock(&guard);
}

static void *work(void *argument) {
    line(argument ? 'a' : 'b');
    return 0;
}

int main(void) {
    static int one;
    pthread_t a, b;
    pthread_create(&a, 0, work, 0);
    pthread_create(&b, 0, work, &one);
    line('c');
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
