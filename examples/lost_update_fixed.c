/* A ticket office with two counters. Each sells one seat and puts the money in
 * the till. Both books are kept under the same lock, so they always balance.
 * $ raddle check examples/lost_update_fixed.c */
#include <assert.h>
#include <pthread.h>
#define SEATS 2

static int sold;      /* seats sold so far, by both counters */
static int takings;   /* money in the till */
static pthread_mutex_t till = PTHREAD_MUTEX_INITIALIZER;

static void *counter(void *price)
{
    int seat_price = *(int *)price;

    pthread_mutex_lock(&till);
    sold = sold + 1;
    takings += seat_price;
    pthread_mutex_unlock(&till);
    return NULL;
}

int main(void)
{
    pthread_t left, right;
    int price = 20;

    pthread_create(&left, NULL, counter, &price);
    pthread_create(&right, NULL, counter, &price);
    pthread_join(left, NULL);
    pthread_join(right, NULL);

    assert(takings == SEATS * price);
    assert(sold == SEATS);
    return 0;
}
