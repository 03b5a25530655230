// A maximum under a spin lock, with a helper that needs it.
#include <pthread.h>

static pthread_spinlock_t spin;
static int greatest;
static int updates;

static void raise_to(int value) {
    if (value > greatest) {
        greatest = value;
        updates++;
    }
}

static void *work(void *argument) {
    pthread_spin_lock(&spin);
    raise_to(argument ? 7 : 5);
    pthread_spin_unlock(&spin);
    return 0;
}

int main(void) {
    static int one;
    pthread_t a, b;
    pthread_spin_init(&spin, 0);
    pthread_create(&a, 0, work, 0);
    pthread_create(&b, 0, work, &one);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
