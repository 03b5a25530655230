/* errno: one for each thread, in thread-local storage. */
#include "model.h"

_Thread_local int raddle_errno;

/* __errno_location: the address of this thread's errno */
int *__errno_location(void) { return &raddle_errno; }

/* __errno: the address of this thread's errno, under its name on other systems */
int *__errno(void) { return &raddle_errno; }

/* As argv[0]. */
char *program_invocation_name = "program";
char *program_invocation_short_name = "program";
