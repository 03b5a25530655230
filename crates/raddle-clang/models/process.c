/* The end of the process: exit, its handlers, quick_exit, abort.
 *
 * The entry of a program is exit(main(...)). The thread that ends the process is stopped; the others go on and owe
 * nothing. Handlers run in the reverse order of their registration, in the thread that called exit, or in the last
 * thread when all end by themselves. Functions with the attribute `destructor` are registered first of all.
 *
 * Deviations: 1. system and fork are not modelled. 2. A handler list is unbounded. 3. Exit in two threads at once:
 * each runs the handlers that the other has not yet taken.
 */
#include "model.h"

struct handler {
    struct handler *below;
    void (*plain)(void);
    void (*with_code)(int, void *);
    void *argument;
};
static struct handler *at_exit, *at_quick_exit_handlers;

static int add(struct handler **list, void (*plain)(void), void (*with_code)(int, void *), void *argument) {
    __raddle_begin();
    struct handler *handler = (struct handler *)__raddle_alloc(sizeof *handler, RADDLE_INTERNAL);
    handler->below = *list;
    handler->plain = plain;
    handler->with_code = with_code;
    handler->argument = argument;
    *list = handler;
    __raddle_event(RADDLE_AT_EXIT, 0);
    __raddle_release(list, 0);
    __raddle_end();
    return 0;
}

static void run(struct handler **list, int code) {
    for (;;) {
        __raddle_begin();
        struct handler *handler = *list;
        if (!handler) {
            __raddle_end();
            return;
        }
        __raddle_acquire(list, 0);
        void (*plain)(void) = handler->plain;
        void (*with_code)(int, void *) = handler->with_code;
        void *argument = handler->argument;
        *list = handler->below;
        __raddle_free(handler);
        __raddle_end();
        if (plain) plain();
        else with_code(code, argument);
    }
}

void raddle_run_exit_handlers(int code) { run(&at_exit, code); }

void raddle_at_exit(void (*handler)(void)) { add(&at_exit, handler, 0, 0); }

_Noreturn void raddle_exit(int code) {
    raddle_run_exit_handlers(code);
    __raddle_process_exit(code & 255, 0);
}

/* exit: runs the handlers of atexit, then ends the process */
_Noreturn void exit(int code) { raddle_exit(code); }

/* _exit: ends the process at once */
_Noreturn void _exit(int code) { __raddle_process_exit(code & 255, 0); }

/* _Exit: ends the process at once */
_Noreturn void _Exit(int code) { __raddle_process_exit(code & 255, 0); }

/* quick_exit: runs the handlers of at_quick_exit, then ends the process */
_Noreturn void quick_exit(int code) {
    run(&at_quick_exit_handlers, code);
    __raddle_process_exit(code & 255, 0);
}

/* fork: unsupported */
int fork(void) { __raddle_unsupported("fork: other processes are not modelled"); }

/* vfork: unsupported */
int vfork(void) { __raddle_unsupported("vfork: other processes are not modelled"); }

/* abort: ends the process; not a violation */
_Noreturn void abort(void) { __raddle_process_exit(134, 1); }

/* atexit: never fails */
RADDLE_ORDERED("always")
int atexit(void (*handler)(void)) {
    __raddle_fixed("registering an exit handler never fails");
    return add(&at_exit, handler, 0, 0);
}

/* on_exit: as atexit, with the code and an argument */
RADDLE_ORDERED("always")
int on_exit(void (*handler)(int, void *), void *argument) {
    __raddle_fixed("registering an exit handler never fails");
    return add(&at_exit, 0, handler, argument);
}

/* at_quick_exit: never fails */
RADDLE_ORDERED("always")
int at_quick_exit(void (*handler)(void)) {
    __raddle_fixed("registering an exit handler never fails");
    return add(&at_quick_exit_handlers, handler, 0, 0);
}
