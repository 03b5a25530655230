/* A mailbox for one letter, with one condition variable for all who wait: for a
 * letter, or for an empty box. A signal wakes up one of them, and that may be one
 * that waits for the other thing. It goes back to sleep, the right one never wakes
 * up, and all sleep forever.
 *
 * $ raddle check examples/mailbox.c
 */
#include <assert.h>
#include <pthread.h>

#define READERS 2

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t change = PTHREAD_COND_INITIALIZER;
static int letter;                      /* 0: the box is empty */

static void *sender(void *unused)
{
    for (int i = 1; i <= READERS; i++) {
        pthread_mutex_lock(&lock);
        while (letter != 0)
            pthread_cond_wait(&change, &lock);
        letter = i;
        pthread_cond_signal(&change);
        pthread_mutex_unlock(&lock);
    }
    return unused;
}

static void *reader(void *unused)
{
    pthread_mutex_lock(&lock);
    while (letter == 0)
        pthread_cond_wait(&change, &lock);
    letter = 0;
    pthread_cond_signal(&change);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t s, readers[READERS];

    for (int i = 0; i < READERS; i++)
        pthread_create(&readers[i], NULL, reader, NULL);
    pthread_create(&s, NULL, sender, NULL);
    for (int i = 0; i < READERS; i++)
        pthread_join(readers[i], NULL);
    pthread_join(s, NULL);
    assert(letter == 0);
    return 0;
}
