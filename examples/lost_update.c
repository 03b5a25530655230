/* A ticket office with two counters. Each sells one seat and puts the money in
 * the till. On most days the books balance.
 * $ raddle check --property assert examples/lost_update.c */
#include <assert.h>
#include <pthread.h>
#define SEATS 2

static int sold;      /* seats sold so far, by both counters */
static int takings;   /* money in the till */
static pthread_mutex_t till = PTHREAD_MUTEX_INITIALIZER;

static void *counter(void *price)
{
    int seat_price = *(int *)price;

    sold = sold + 1;

    pthread_mutex_lock(&till);
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
