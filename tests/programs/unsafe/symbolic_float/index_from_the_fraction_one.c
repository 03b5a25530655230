// what: a fraction of at most one, times the length, may be the length
// expect: memsafety=violated
// explicit: all=unknown (an input too wide to try: rule 9)
#include <pthread.h>
#include <raddle.h>

static int histogram[4];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void *sample(void *unused) {
    float fraction = raddle_any_float();
    raddle_assume(fraction >= 0 && fraction <= 1);
    int index = (int)(fraction * 4);
    pthread_mutex_lock(&mutex);
    histogram[index]++; //~ MEMSAFETY
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, sample, NULL);
    sample(NULL);
    pthread_join(thread, NULL);
    return 0;
}
