// what: a wait of one's own, which two writes end only together
// expect: deadlock=violated
// why: both write before p looks: neither alone keeps p out, and p looks at y only behind x; preemptions: 0
#include <pthread.h>

void __raddle_begin(void);
void __raddle_end(void);
_Noreturn void __raddle_block(int why, const void *object, int owner);

static int x, y;

static void *p(void *unused) {
    __raddle_begin();
    if (x && y) __raddle_block(4, &x, 0);
    __raddle_end();
    return NULL;
}
static void *q(void *unused) {
    __raddle_begin();
    x = 1;
    __raddle_end();
    return NULL;
}
static void *r(void *unused) {
    __raddle_begin();
    y = 1;
    __raddle_end();
    return NULL;
}

int main(void) {
    pthread_t a, b, c;
    pthread_create(&a, NULL, p, NULL);
    pthread_create(&b, NULL, q, NULL);
    pthread_create(&c, NULL, r, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    pthread_join(c, NULL);
    return 0;
}
