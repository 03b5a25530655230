// what: a double that no int can hold is converted, and the result is used
// expect: overflow=violated
// explicit: all=unknown (an input too wide to try: rule 9)
#include <assert.h>
#include <pthread.h>
#include <raddle.h>

static double temperature;
static void *controller(void *unused) {
    if (temperature > 3e9) temperature = 2.9e9;
    int degrees = (int)temperature; //~ OVERFLOW
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
