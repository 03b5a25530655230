// what: under the spin lock there is only computation; the line is printed afterwards
#include <pthread.h>
#include <stdio.h>

static pthread_spinlock_t spin, inner;
static int x, y;

static void *work(void *unused)
{
    int now;
    pthread_spin_lock(&spin);
    now = ++x;
    pthread_spin_lock(&inner);
    y += now;
    pthread_spin_unlock(&inner);
    pthread_spin_unlock(&spin);
    printf("%d\n", now);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_spin_init(&spin, 0);
    pthread_spin_init(&inner, 0);
    pthread_create(&a, NULL, work, NULL);
    pthread_create(&b, NULL, work, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
