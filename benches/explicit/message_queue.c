/* Prioritised messages between tasks, as on a small embedded system: no heap, blocks from a fixed pool, queues of
 * bounded depth found by name in a directory. Any number of tasks may send to a queue and receive from it.
 *
 * Below it: one producer and one consumer over a queue of depth M. The producer fills the queue once over, with all
 * priorities; the consumer checks contents, order and accounts. Everything ends.
 *
 *   -DM=n         depth of the queue
 *   -DLOST_WAKEUP  a bug: a sender does not wake the receiver if it believes the queue was not empty, and it asks too
 *                  early
 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifndef M
#define M 2
#endif

/* -- configuration ---- */

enum {
    MQ_QUEUES = 2,           /* entries of the directory */
    MQ_NAME = 8,             /* bytes of a name, with its end */
    MQ_PAYLOAD = 8,          /* bytes of a message */
    MQ_BLOCKS = M + 2,       /* all depths together, one being written, one being read */
    MQ_NONE = -1
};

enum mq_priority { MQ_LOW, MQ_NORMAL, MQ_HIGH, MQ_URGENT, MQ_PRIORITIES };

enum mq_status {
    MQ_OK,
    MQ_FULL,       /* a try would have had to wait */
    MQ_EMPTY,      /* likewise */
    MQ_CLOSED,     /* nobody may send any more; for a receiver: and nothing is left */
    MQ_NO_BLOCK,   /* the pool is exhausted */
    MQ_TOO_LONG,   /* more than MQ_PAYLOAD bytes */
    MQ_BAD,        /* no such priority, queue or name */
    MQ_CORRUPT     /* the checksum is wrong */
};

enum mq_wait { MQ_TRY, MQ_WAIT };

/* -- messages and their pool ---- */

struct mq_message {
    uint8_t priority, length;
    uint16_t checksum;
    uint16_t sequence;      /* counts the messages of a queue, in the order of sending */
    int16_t next;           /* in the pool or in a list of a queue */
    uint8_t payload[MQ_PAYLOAD];
};

struct mq_pool {
    pthread_mutex_t mutex;
    int16_t first_free;
    uint16_t used, most_used;
    struct mq_message blocks[MQ_BLOCKS];
};

static struct mq_pool pool;

static enum mq_status pool_init(void) {
    if (pthread_mutex_init(&pool.mutex, NULL) != 0) return MQ_BAD;
    for (int i = 0; i < MQ_BLOCKS; i++) pool.blocks[i].next = (int16_t)(i + 1 < MQ_BLOCKS ? i + 1 : MQ_NONE);
    pool.first_free = 0;
    pool.used = pool.most_used = 0;
    return MQ_OK;
}

/* Gives the number of a block that belongs to the caller, or MQ_NONE. */
static int16_t pool_take(void) {
    pthread_mutex_lock(&pool.mutex);
    int16_t block = pool.first_free;
    if (block != MQ_NONE) {
        pool.first_free = pool.blocks[block].next;
        pool.used++;
        if (pool.used > pool.most_used) pool.most_used = pool.used;
    }
    pthread_mutex_unlock(&pool.mutex);
    return block;
}

static void pool_give(int16_t block) {
    pthread_mutex_lock(&pool.mutex);
    pool.blocks[block].next = pool.first_free;
    pool.first_free = block;
    pool.used--;
    pthread_mutex_unlock(&pool.mutex);
}

/* Fletcher's checksum over the payload and what identifies the message. */
static uint16_t checksum_of(const struct mq_message *message) {
    unsigned low = message->priority, high = message->length;
    for (int i = 0; i < message->length; i++) {
        low = (low + message->payload[i]) % 255;
        high = (high + low) % 255;
    }
    return (uint16_t)(high << 8 | low);
}

/* -- queues ---- */

struct mq_list {
    int16_t first, last;
};

struct mq_counts {
    uint16_t sent, received, refused;
    uint16_t most;          /* the deepest it has been */
};

struct mq_queue {
    char name[MQ_NAME];
    uint8_t in_use, closed;
    uint16_t depth, count;
    uint8_t waiting_to_send, waiting_to_receive;
    uint8_t filled;         /* bit p: the list of priority p is not empty */
    uint16_t next_sequence;
    struct mq_list lists[MQ_PRIORITIES];
    struct mq_counts counts;
    pthread_mutex_t mutex;
    pthread_cond_t not_full, not_empty;
};

struct mq_directory {
    pthread_mutex_t mutex;
    struct mq_queue queues[MQ_QUEUES];
};

static struct mq_directory directory;

/* The lists and the mask; the queue's mutex is held. */

static void list_append(struct mq_queue *queue, int16_t block) {
    struct mq_message *message = &pool.blocks[block];
    struct mq_list *list = &queue->lists[message->priority];
    message->next = MQ_NONE;
    if (list->first == MQ_NONE) list->first = block;
    else pool.blocks[list->last].next = block;
    list->last = block;
    queue->filled |= (uint8_t)(1u << message->priority);
    queue->count++;
    if (queue->count > queue->counts.most) queue->counts.most = queue->count;
}

static int highest_filled(const struct mq_queue *queue) {
    for (int priority = MQ_PRIORITIES - 1; priority >= 0; priority--) {
        if (queue->filled & 1u << priority) return priority;
    }
    return MQ_NONE;
}

static int16_t list_remove(struct mq_queue *queue, int priority) {
    struct mq_list *list = &queue->lists[priority];
    int16_t block = list->first;
    list->first = pool.blocks[block].next;
    if (list->first == MQ_NONE) {
        list->last = MQ_NONE;
        queue->filled &= (uint8_t)~(1u << priority);
    }
    queue->count--;
    return block;
}

/* -- the directory ---- */

enum mq_status mq_start(void) {
    if (pthread_mutex_init(&directory.mutex, NULL) != 0) return MQ_BAD;
    for (int i = 0; i < MQ_QUEUES; i++) directory.queues[i].in_use = 0;
    return pool_init();
}

/* The directory's mutex is held. */
static struct mq_queue *find(const char *name) {
    for (int i = 0; i < MQ_QUEUES; i++) {
        struct mq_queue *queue = &directory.queues[i];
        if (queue->in_use && strcmp(queue->name, name) == 0) return queue;
    }
    return NULL;
}

static enum mq_status queue_init(struct mq_queue *queue, const char *name, uint16_t depth) {
    if (pthread_mutex_init(&queue->mutex, NULL) != 0) return MQ_BAD;
    if (pthread_cond_init(&queue->not_full, NULL) != 0) return MQ_BAD;
    if (pthread_cond_init(&queue->not_empty, NULL) != 0) return MQ_BAD;
    strcpy(queue->name, name);
    queue->depth = depth;
    queue->count = 0;
    queue->closed = 0;
    queue->filled = 0;
    queue->next_sequence = 0;
    queue->waiting_to_send = queue->waiting_to_receive = 0;
    for (int priority = 0; priority < MQ_PRIORITIES; priority++) {
        queue->lists[priority].first = queue->lists[priority].last = MQ_NONE;
    }
    queue->counts = (struct mq_counts){0};
    queue->in_use = 1;
    return MQ_OK;
}

enum mq_status mq_create(const char *name, uint16_t depth, struct mq_queue **made) {
    enum mq_status status = MQ_BAD;
    if (depth == 0 || strlen(name) >= MQ_NAME) return MQ_BAD;
    pthread_mutex_lock(&directory.mutex);
    if (!find(name)) {
        for (int i = 0; i < MQ_QUEUES && status != MQ_OK; i++) {
            struct mq_queue *queue = &directory.queues[i];
            if (queue->in_use) continue;
            status = queue_init(queue, name, depth);
            *made = queue;
        }
    }
    pthread_mutex_unlock(&directory.mutex);
    return status;
}

struct mq_queue *mq_open(const char *name) {
    pthread_mutex_lock(&directory.mutex);
    struct mq_queue *queue = find(name);
    pthread_mutex_unlock(&directory.mutex);
    return queue;
}

/* -- sending ---- */

/* Writes the message into its block; nobody else sees it yet. */
static void fill(int16_t block, enum mq_priority priority, const void *bytes, size_t length) {
    struct mq_message *message = &pool.blocks[block];
    message->priority = (uint8_t)priority;
    message->length = (uint8_t)length;
    memcpy(message->payload, bytes, length);
    message->checksum = checksum_of(message);
}

/* Waits for a place; the queue's mutex is held. */
static enum mq_status await_place(struct mq_queue *queue, enum mq_wait wait) {
    while (!queue->closed && queue->count == queue->depth) {
        if (wait == MQ_TRY) {
            queue->counts.refused++;
            return MQ_FULL;
        }
        queue->waiting_to_send++;
        pthread_cond_wait(&queue->not_full, &queue->mutex);
        queue->waiting_to_send--;
    }
    return queue->closed ? MQ_CLOSED : MQ_OK;
}

enum mq_status mq_send(struct mq_queue *queue, enum mq_priority priority, const void *bytes, size_t length,
                       enum mq_wait wait) {
    if (priority < MQ_LOW || priority >= MQ_PRIORITIES) return MQ_BAD;
    if (length > MQ_PAYLOAD) return MQ_TOO_LONG;
    int16_t block = pool_take();
    if (block == MQ_NONE) return MQ_NO_BLOCK;
    fill(block, priority, bytes, length);
#ifdef LOST_WAKEUP
    pthread_mutex_lock(&queue->mutex);
    int wake = queue->waiting_to_receive > 0;
    pthread_mutex_unlock(&queue->mutex);
#endif
    pthread_mutex_lock(&queue->mutex);
    enum mq_status status = await_place(queue, wait);
    if (status == MQ_OK) {
        pool.blocks[block].sequence = queue->next_sequence++;
        list_append(queue, block);
        queue->counts.sent++;
#ifndef LOST_WAKEUP
        int wake = queue->waiting_to_receive > 0;
#endif
        if (wake) pthread_cond_signal(&queue->not_empty);
    }
    pthread_mutex_unlock(&queue->mutex);
    if (status != MQ_OK) pool_give(block);
    return status;
}

/* Nobody may send any more; receivers get what is left. */
void mq_close(struct mq_queue *queue) {
    pthread_mutex_lock(&queue->mutex);
    queue->closed = 1;
    pthread_cond_broadcast(&queue->not_full);
    pthread_cond_broadcast(&queue->not_empty);
    pthread_mutex_unlock(&queue->mutex);
}

/* -- receiving ---- */

struct mq_received {
    enum mq_priority priority;
    uint16_t sequence;
    size_t length;
    uint8_t bytes[MQ_PAYLOAD];
};

/* Waits for a message; the queue's mutex is held. */
static enum mq_status await_message(struct mq_queue *queue, enum mq_wait wait) {
    while (queue->count == 0) {
        if (queue->closed) return MQ_CLOSED;
        if (wait == MQ_TRY) return MQ_EMPTY;
        queue->waiting_to_receive++;
        pthread_cond_wait(&queue->not_empty, &queue->mutex);
        queue->waiting_to_receive--;
    }
    return MQ_OK;
}

/* Copies the message out of its block, which now belongs to the receiver, and checks it. */
static enum mq_status unpack(int16_t block, struct mq_received *received) {
    const struct mq_message *message = &pool.blocks[block];
    received->priority = (enum mq_priority)message->priority;
    received->sequence = message->sequence;
    received->length = message->length;
    memcpy(received->bytes, message->payload, message->length);
    return checksum_of(message) == message->checksum ? MQ_OK : MQ_CORRUPT;
}

/* The oldest message of the highest priority. */
enum mq_status mq_receive(struct mq_queue *queue, struct mq_received *received, enum mq_wait wait) {
    int16_t block = MQ_NONE;
    pthread_mutex_lock(&queue->mutex);
    enum mq_status status = await_message(queue, wait);
    if (status == MQ_OK) {
        block = list_remove(queue, highest_filled(queue));
        queue->counts.received++;
        if (queue->waiting_to_send > 0) pthread_cond_signal(&queue->not_full);
    }
    pthread_mutex_unlock(&queue->mutex);
    if (status != MQ_OK) return status;
    status = unpack(block, received);
    pool_give(block);
    return status;
}

/* Throws away what waits below a priority; gives how many. */
unsigned mq_discard_below(struct mq_queue *queue, enum mq_priority limit) {
    unsigned discarded = 0;
    pthread_mutex_lock(&queue->mutex);
    for (int priority = MQ_LOW; priority < (int)limit; priority++) {
        while (queue->filled & 1u << priority) {
            pool_give(list_remove(queue, priority));
            queue->counts.received++;
            discarded++;
        }
    }
    if (discarded > 0) pthread_cond_broadcast(&queue->not_full);
    pthread_mutex_unlock(&queue->mutex);
    return discarded;
}

/* -- accounts ---- */

struct mq_counts mq_counts_of(struct mq_queue *queue, uint16_t *waiting) {
    pthread_mutex_lock(&queue->mutex);
    struct mq_counts counts = queue->counts;
    *waiting = queue->count;
    pthread_mutex_unlock(&queue->mutex);
    return counts;
}

/* Closed, empty and without waiters, a queue can be taken down. */
enum mq_status mq_remove(struct mq_queue *queue) {
    enum mq_status status = MQ_BAD;
    pthread_mutex_lock(&directory.mutex);
    pthread_mutex_lock(&queue->mutex);
    int waiters = queue->waiting_to_send + queue->waiting_to_receive;
    int idle = queue->closed && queue->count == 0 && waiters == 0;
    pthread_mutex_unlock(&queue->mutex);
    if (idle) {
        queue->in_use = 0;
        pthread_cond_destroy(&queue->not_full);
        pthread_cond_destroy(&queue->not_empty);
        pthread_mutex_destroy(&queue->mutex);
        status = MQ_OK;
    }
    pthread_mutex_unlock(&directory.mutex);
    return status;
}

/* -- one producer, one consumer ---- */

/* One more than fits, so that the producer may have to wait. */
enum { MESSAGES = M + 1 };

static enum mq_priority priority_of(int number) { return (enum mq_priority)(number * 7 % 5 % MQ_PRIORITIES); }

static void *producer(void *unused) {
    struct mq_queue *queue = mq_open("tm");
    assert(queue);
    for (int number = 0; number < MESSAGES; number++) {
        uint8_t bytes[2] = {(uint8_t)number, (uint8_t)(0xa5 ^ number)};
        enum mq_status status = mq_send(queue, priority_of(number), bytes, sizeof bytes, MQ_WAIT);
        assert(status == MQ_OK);
    }
    mq_close(queue);
    assert(mq_send(queue, MQ_LOW, "", 0, MQ_TRY) == MQ_CLOSED);
    return NULL;
}

static void *consumer(void *unused) {
    struct mq_queue *queue = mq_open("tm");
    struct mq_received received;
    int seen = 0, last[MQ_PRIORITIES] = {MQ_NONE, MQ_NONE, MQ_NONE, MQ_NONE};
    enum mq_status status;
    assert(queue);
    while ((status = mq_receive(queue, &received, MQ_WAIT)) == MQ_OK) {
        assert(received.length == 2);
        assert(received.bytes[1] == (0xa5 ^ received.bytes[0]));
        assert(received.bytes[0] == received.sequence);
        assert(received.priority == priority_of(received.sequence));
        /* Of one priority, in the order of sending; and a message that was there in time is never left behind by more
         * of a lower priority than fit into the queue. */
        assert(received.sequence > last[received.priority]);
        assert(received.sequence <= seen + M);
        last[received.priority] = received.sequence;
        seen++;
    }
    assert(status == MQ_CLOSED);
    assert(seen == MESSAGES);
    return NULL;
}

int main(void) {
    pthread_t sender, receiver;
    struct mq_queue *queue = NULL;
    assert(mq_start() == MQ_OK);
    assert(mq_create("tm", M, &queue) == MQ_OK);
    assert(mq_open("none") == NULL);
    pthread_create(&sender, NULL, producer, NULL);
    pthread_create(&receiver, NULL, consumer, NULL);
    pthread_join(sender, NULL);
    pthread_join(receiver, NULL);
    uint16_t waiting;
    struct mq_counts counts = mq_counts_of(queue, &waiting);
    assert(waiting == 0 && counts.sent == MESSAGES && counts.received == MESSAGES && counts.refused == 0);
    assert(counts.most <= M && pool.used == 0 && pool.most_used <= MQ_BLOCKS);
    assert(mq_discard_below(queue, MQ_PRIORITIES) == 0);
    assert(mq_remove(queue) == MQ_OK);
    return 0;
}
