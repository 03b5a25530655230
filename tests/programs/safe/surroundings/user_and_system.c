// what: numbers of user and group, name of host and system, limits of the system
// expect: assert=ok memsafety=ok
// explicit: all=unknown (an input too wide to try: rule 9)
// options: --property assert --property memsafety
// says: the host is called localhost
// says: uname describes one fixed system
// says: user and group have the number 1000
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/utsname.h>
#include <unistd.h>

int main(void) {
    struct utsname names;
    char host[64], small[4];
    assert(getuid() == geteuid() && getgid() == getegid());
    assert(uname(&names) == 0 && strcmp(names.sysname, "Linux") == 0);
    assert(gethostname(host, sizeof host) == 0 && strcmp(host, names.nodename) == 0);
    assert(gethostname(small, sizeof small) == -1 && errno == ENAMETOOLONG);
    assert(prctl(PR_SET_NAME, "worker") == 0);
    assert(sysconf(_SC_OPEN_MAX) > 0 && sysconf(_SC_PHYS_PAGES) > 0);
    return 0;
}
