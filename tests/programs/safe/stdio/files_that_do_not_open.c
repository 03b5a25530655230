// what: each call on files succeeds or fails, and a failed one sets errno
// expect: assert=ok memsafety=ok
// explicit: all=unknown (the size of a file has 2^31 values)
// says: a system call that fails sets errno
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

int main(void) {
    struct stat status;
    errno = 0;
    if (stat("settings", &status) < 0) assert(errno != 0);
    else assert(S_ISREG(status.st_mode) && status.st_size >= 0 && status.st_nlink == 1);
    errno = 0;
    if (unlink("settings") < 0) assert(errno == ENOENT || errno == EINTR || errno == EIO || errno == EBADF || errno == EINVAL);
    FILE *file = tmpfile();
    if (!file) return 1;
    if (fseek(file, 0, SEEK_END) == 0) assert(ftell(file) >= -1);
    fclose(file);
    return 0;
}
