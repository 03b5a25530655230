// what: getopt keeps its place in variables of the library
// expect: race=violated
// options: --property race --args "-a -b"
#define _GNU_SOURCE
#include <pthread.h>
#include <unistd.h>

static int count;
static char **words;

static void *parse(void *unused) {
    getopt(count, words, "ab"); //~ RACE
    return unused;
}

int main(int argc, char **argv) {
    pthread_t thread;
    count = argc;
    words = argv;
    pthread_create(&thread, NULL, parse, NULL);
    parse(NULL);
    pthread_join(thread, NULL);
    return 0;
}
