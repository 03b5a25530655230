// Two cores exchange commands over mailboxes in shared memory. A mailbox is protected by a hardware semaphore, whose register
// reads as 0 for the core that takes it and as 1 for all others; a doorbell register announces a message. The host core sends
// commands to the display core, which keeps a table of settings and answers with what it has stored.
//
// With -DBAD the host rings the doorbell before it takes the semaphore and writes the message: the display core may find an
// old message, or the answer to none.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include "input.h"

#ifndef N
#define N 2
#endif

enum { SETTINGS = 2, PAYLOAD = 2 };
enum command { NOTHING, SET, ADD, STOP };

struct message {
    uint8_t command, setting, sequence, checksum;
    uint8_t payload[PAYLOAD];
};

// One for each direction. The fields are as the address map has them: registers first, then memory.
struct mailbox {
    atomic_uint semaphore; // a read takes it, a write of 0 gives it back
    atomic_uint doorbell;  // the number of messages that were announced
    struct message message;
};

static struct mailbox to_display, to_host;

// -- registers

static unsigned semaphore_read(struct mailbox *box) {
    return atomic_exchange(&box->semaphore, 1);
}

static void semaphore_take(struct mailbox *box) {
    while (semaphore_read(box) != 0) {
    }
}

static void semaphore_give(struct mailbox *box) {
    atomic_store(&box->semaphore, 0);
}

static void doorbell_wait(struct mailbox *box, unsigned number) {
    while (atomic_load(&box->doorbell) < number) {
    }
}

static void doorbell_ring(struct mailbox *box, unsigned number) {
    atomic_store(&box->doorbell, number);
}

// -- messages

static uint8_t checksum(const struct message *message) {
    unsigned sum = message->command * 7u + message->setting * 5u + message->sequence * 3u;
    for (int i = 0; i < PAYLOAD; i++) sum += (i + 1u) * message->payload[i];
    return (uint8_t)(sum ^ 0x5a);
}

static struct message message_make(enum command command, int setting, int sequence, int value) {
    struct message message = {.command = (uint8_t)command, .setting = (uint8_t)setting, .sequence = (uint8_t)sequence};
    message.payload[0] = (uint8_t)value;
    message.payload[1] = (uint8_t)(value >> 8);
    message.checksum = checksum(&message);
    return message;
}

static int message_value(const struct message *message) {
    return message->payload[0] | message->payload[1] << 8;
}

static void mailbox_send(struct mailbox *box, const struct message *message) {
#ifdef BAD
    doorbell_ring(box, message->sequence);
#endif
    semaphore_take(box);
    box->message = *message;
    semaphore_give(box);
#ifndef BAD
    doorbell_ring(box, message->sequence);
#endif
}

static struct message mailbox_receive(struct mailbox *box, int sequence) {
    doorbell_wait(box, (unsigned)sequence);
    semaphore_take(box);
    struct message message = box->message;
    semaphore_give(box);
    return message;
}

// -- the display core

static int settings[SETTINGS];

static int display_execute(const struct message *message) {
    assert(message->setting < SETTINGS);
    switch (message->command) {
    case SET:
        settings[message->setting] = message_value(message);
        break;
    case ADD:
        settings[message->setting] += message_value(message);
        break;
    default:
        break;
    }
    return settings[message->setting];
}

static void *display_core(void *unused) {
    for (int sequence = 1;; sequence++) {
        struct message message = mailbox_receive(&to_display, sequence);
        assert(message.sequence == sequence);
        assert(message.checksum == checksum(&message));
        if (message.command == STOP) break;
        struct message answer =
            message_make((enum command)message.command, message.setting, sequence, display_execute(&message));
        mailbox_send(&to_host, &answer);
    }
    return unused;
}

// -- the host core

static void *host_core(void *unused) {
    int expected[SETTINGS] = {0};
    for (int sequence = 1; sequence <= N; sequence++) {
        enum command command = input(0, 1) ? SET : ADD;
        int setting = input(0, SETTINGS - 1), value = input(0, 3);
        expected[setting] = command == SET ? value : expected[setting] + value;
        struct message message = message_make(command, setting, sequence, value);
        mailbox_send(&to_display, &message);
        struct message answer = mailbox_receive(&to_host, sequence);
        assert(answer.sequence == sequence);
        assert(answer.setting == setting && message_value(&answer) == expected[setting]);
    }
    struct message stop = message_make(STOP, 0, N + 1, 0);
    mailbox_send(&to_display, &stop);
    return unused;
}

int main(void) {
    pthread_t host, display;
    pthread_create(&host, NULL, host_core, NULL);
    pthread_create(&display, NULL, display_core, NULL);
    pthread_join(host, NULL);
    pthread_join(display, NULL);
    return 0;
}
