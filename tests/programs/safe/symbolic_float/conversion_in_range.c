// what: a double is tested before it is converted to an int
// expect: overflow=ok assert=ok
// explicit: all=unknown (an input too wide to try: rule 9)
#include <assert.h>
#include <pthread.h>
#include <raddle.h>

static double temperature;
static void *controller(void *unused) {
    if (!(temperature > -1000 && temperature < 1000)) return NULL;
    int degrees = (int)temperature;
    if (degrees > 10000) assert(degrees <= 2147483647);
    return NULL;
}

int main(void) {
    pthread_t thread;
    temperature = raddle_any_double();
    pthread_create(&thread, NULL, controller, NULL);
    pthread_join(thread, NULL);
    return 0;
}
