/* A mailbox for one letter, with one condition variable for each thing that
 * is waited for: a letter, and an empty box. A signal wakes up a thread that it
 * is meant for.
 *
 * $ raddle check examples/mailbox_fixed.c
 */
#include <assert.h>
#include <pthread.h>

#define READERS 2

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
static pthread_cond_t emptied = PTHREAD_COND_INITIALIZER;
static int letter;                      /* 0: the box is empty */

static void *sender(void *unused)
{
    for (int i = 1; i <= READERS; i++) {
        pthread_mutex_lock(&lock);
        while (letter != 0)
            pthread_cond_wait(&emptied, &lock);
        letter = i;
        pthread_cond_signal(&filled);
        pthread_mutex_unlock(&lock);
    }
    return unused;
}

static void *reader(void *unused)
{
    pthread_mutex_lock(&lock);
    while (letter == 0)
        pthread_cond_wait(&filled, &lock);
    letter = 0;
    pthread_cond_signal(&emptied);
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
