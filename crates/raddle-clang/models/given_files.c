/* Files whose contents the user gives (--file PATH=FILE, --stdin FILE). The front end sets the two variables below; they
 * never change. Whatever a program writes to such a file, what it reads are the given contents.
 */
#include "stream.h"

/* The last has a null name. */
const struct raddle_given *raddle_given_files;
const struct raddle_given *raddle_given_input;

int raddle_some_are_given(void) { return raddle_given_files || raddle_given_input; }

const struct raddle_given *raddle_given(const char *name) {
    const struct raddle_given *file = raddle_given_files;
    for (; file && file->name; file++) {
        size_t i = 0;
        while (file->name[i] && file->name[i] == name[i]) i++;
        if (file->name[i] == name[i]) return file;
    }
    return 0;
}

const struct raddle_given *raddle_given_standard_input(void) { return raddle_given_input; }
