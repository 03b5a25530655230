/* Files whose contents the user gives (--file PATH=FILE, --stdin FILE). The front end sets the two variables below; they
 * never change. Whatever a program writes to such a file, what it reads are the given contents.
 */
#include "stream.h"

/* The last has a null name. */
const struct raddle_given *raddle_given_files;
const struct raddle_given *raddle_given_input;

int raddle_some_are_given(void) { return raddle_given_files || raddle_given_input; }

/* Without the current folder at its beginning. */
static const char *plain(const char *name) {
    while (name[0] == '.' && name[1] == '/') name += 2;
    return name;
}

const struct raddle_given *raddle_given(const char *name) {
    const struct raddle_given *file = raddle_given_files;
    (void)raddle_string_length(name);
    name = plain(name);
    for (; file && file->name; file++) {
        const char *own = plain(file->name);
        size_t i = 0;
        while (own[i] && own[i] == name[i]) i++;
        if (own[i] == name[i]) return file;
    }
    return 0;
}

static int reader;

void raddle_read_standard_input_as(int kind) {
    if (reader && reader != kind)
        __raddle_unsupported("--stdin: read by descriptor 0 and by stdio, whose buffer would decide what each gets");
    reader = kind;
}

const struct raddle_given *raddle_given_standard_input(void) { return raddle_given_input; }
