/* What the system says about itself and the user: fixed answers.
 *
 * Deviation: prctl sets only the name of a thread, which is forgotten.
 */
#include "model.h"

static int copy(char *target, size_t size, const char *text) {
    size_t length = raddle_string_length(text);
    if (length >= size) return 0;
    for (size_t i = 0; i <= length; i++) target[i] = text[i];
    return 1;
}

/* These count although the answer is not the result. */
static void fix_host(void) { __raddle_fixed("the host is called localhost"); }
static void fix_system(void) { __raddle_fixed("uname describes one fixed system, Linux 6.1.0"); }

struct system_names { char system[65], node[65], release[65], version[65], machine[65], domain[65]; };

/* uname: one fixed system */
int uname(struct system_names *names) {
    fix_system();
    copy(names->system, 65, "Linux");
    copy(names->node, 65, "localhost");
    copy(names->release, 65, "6.1.0");
    copy(names->version, 65, "#1 SMP");
    copy(names->machine, 65, sizeof(long) == 8 ? "x86_64" : "i686");
    copy(names->domain, 65, "(none)");
    return 0;
}

/* gethostname: localhost; ENAMETOOLONG when it does not fit */
int gethostname(char *name, size_t size) {
    fix_host();
    if (copy(name, size, "localhost")) return 0;
    raddle_errno = 36;
    return -1;
}

#define USER __raddle_fixed("user and group have the number 1000")

/* getuid: one fixed number */
unsigned getuid(void) { USER; return 1000; }

/* geteuid: one fixed number */
unsigned geteuid(void) { USER; return 1000; }

/* getgid: one fixed number */
unsigned getgid(void) { USER; return 1000; }

/* getegid: one fixed number */
unsigned getegid(void) { USER; return 1000; }

/* prctl: PR_SET_NAME is accepted and forgotten; others are unsupported */
int prctl(int option, ...) {
    if (option != 15) __raddle_unsupported("prctl: this option");
    va_list arguments;
    va_start(arguments, option);
    const char *name = va_arg(arguments, const char *);
    va_end(arguments);
    for (int i = 0; i < 15 && name[i]; i++) {}
    return 0;
}
