// what: setters write two variables one after the other; a checker sees the state between
// expect: race=violated assert=violated
#include <assert.h>
#include <pthread.h>

static int a = 0, b = 0;
static void *setter(void *unused) {
    a = 1; //~ RACE
    b = -1; //~ RACE
    return NULL;
}
static void *checker(void *unused) {
    int x = a; //~ RACE
    int y = b; //~ RACE
    assert((x == 0 && y == 0) || (x == 1 && y == -1)); //~ ASSERT
    return NULL;
}

int main(void) {
    pthread_t s, c;
    pthread_create(&s, NULL, setter, NULL);
    pthread_create(&c, NULL, checker, NULL);
    pthread_join(s, NULL);
    pthread_join(c, NULL);
    return 0;
}
