// what: a function listed as havoc writes through its argument, while another thread reads there
// expect: race=violated assert=violated
// options: --havoc read_sensor
#include <assert.h>
#include <pthread.h>
void read_sensor(unsigned char *out);
static unsigned char value;
static void *thread(void *unused) {
    read_sensor(&value); //~ RACE
    return 0;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, thread, 0);
    int seen = value; //~ RACE
    pthread_join(a, 0);
    assert(value == 0); //~ ASSERT
    return seen;
}
