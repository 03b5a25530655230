/* The options of a command line: getopt and its kin, as glibc has them: arguments that are no options are moved behind
 * the options, unless the option string begins with `+` or `-` or POSIXLY_CORRECT is in the environment; long options may be
 * abbreviated. What they keep between calls is in variables of the library: two threads that use them race.
 *
 * Deviations: 1. `W;` among the options is unsupported where -W is given. 2. The message about an ambiguous option does
 * not list the possible ones.
 */
#include "model.h"

/* As before the first call. */
char *optarg;
int optind = 1, opterr = 1, optopt = '?';

struct long_option {
    const char *name;
    int has_argument;               /* 0 none, 1 required, 2 optional */
    int *flag;
    int value;
};

enum { PERMUTE = 0, REQUIRE_ORDER, RETURN_IN_ORDER };

/* The command line of one call. */
struct line {
    int count;
    char **arguments;
    const char *options;            /* without a leading + or - */
    const struct long_option *long_options;
    int *long_index;
    int long_only, says;            /* says: messages are printed */
};

static char *next_character;        /* in a group of short options; null or at its end: none */
static int initialised, ordering;
/* The arguments from first to last, without last, are no options and have been skipped. */
static int first_skipped, last_skipped;
static int place, bad_option;       /* what optind and optopt become */

static void say(const struct line *line, const char *format, ...) {
    if (!line->says) return;
    va_list arguments;
    va_start(arguments, format);
    __raddle_print(2, format, arguments);
    va_end(arguments);
}

static const char *find(const char *text, char character) {
    for (; *text; text++)
        if (*text == character) return text;
    return 0;
}

static int has_prefix(const char *text, const char *prefix, size_t length) {
    for (size_t i = 0; i < length; i++)
        if (text[i] != prefix[i]) return 0;
    return 1;
}

static int is_operand(const struct line *line) {
    const char *argument = line->arguments[place];
    return argument[0] != '-' || !argument[1];
}

/* Moves the skipped arguments behind those after them, up to the place; both keep their order. */
static void exchange(char **arguments) {
    int skipped = last_skipped - first_skipped, moved = place - last_skipped;
    for (int i = 0; i < moved; i++) {
        char *argument = arguments[last_skipped + i];
        for (int j = last_skipped + i; j > first_skipped + i; j--) arguments[j] = arguments[j - 1];
        arguments[first_skipped + i] = argument;
    }
    first_skipped = place - skipped;
    last_skipped = place;
}

static int missing(const struct line *line) { return line->options[0] == ':' ? ':' : '?'; }

/* The index of the long option that the text names, -1 for none, -2 for several. */
static int find_long(const struct line *line, size_t length) {
    const struct long_option *options = line->long_options;
    int found = -1;
    for (int i = 0; options[i].name; i++)
        if (has_prefix(options[i].name, next_character, length) && !options[i].name[length]) return i;
    for (int i = 0; options[i].name; i++) {
        if (!has_prefix(options[i].name, next_character, length)) continue;
        if (found < 0) found = i;
        else if (line->long_only || options[found].has_argument != options[i].has_argument ||
                 options[found].flag != options[i].flag || options[found].value != options[i].value) return -2;
    }
    return found;
}

/* -1: a group of short options after all. */
static int long_option(const struct line *line, const char *dashes) {
    const char *program = line->arguments[0];
    size_t length = 0;
    while (next_character[length] && next_character[length] != '=') length++;
    char *end = next_character + length;
    int index = find_long(line, length);
    if (index == -1 && line->long_only && line->arguments[place][1] != '-' && find(line->options, *next_character)) return -1;
    place++;
    if (index < 0) {
        say(line, index == -1 ? "%s: unrecognized option '%s%s'\n" : "%s: option '%s%s' is ambiguous\n", program, dashes,
            next_character);
        next_character = 0;
        bad_option = 0;
        return '?';
    }
    next_character = 0;
    const struct long_option *option = &line->long_options[index];
    if (*end) {
        if (!option->has_argument) {
            say(line, "%s: option '%s%s' doesn't allow an argument\n", program, dashes, option->name);
            bad_option = option->value;
            return '?';
        }
        optarg = end + 1;
    } else if (option->has_argument == 1) {
        if (place >= line->count) {
            say(line, "%s: option '%s%s' requires an argument\n", program, dashes, option->name);
            bad_option = option->value;
            return missing(line);
        }
        optarg = line->arguments[place++];
    }
    if (line->long_index) *line->long_index = index;
    if (!option->flag) return option->value;
    *option->flag = option->value;
    return 0;
}

static int short_option(const struct line *line) {
    const char *program = line->arguments[0];
    char letter = *next_character++;
    const char *option = find(line->options, letter);
    if (!*next_character) place++;
    if (!option || letter == ':' || letter == ';') {
        say(line, "%s: invalid option -- '%c'\n", program, letter);
        bad_option = letter;
        return '?';
    }
    if (letter == 'W' && option[1] == ';' && line->long_options) __raddle_unsupported("getopt_long: W; among the options");
    if (option[1] != ':') return letter;
    if (*next_character) {
        optarg = next_character;
        place++;
    } else if (option[2] != ':') {
        if (place == line->count) {
            say(line, "%s: option requires an argument -- '%c'\n", program, letter);
            bad_option = letter;
            next_character = 0;
            return missing(line);
        }
        optarg = line->arguments[place++];
    }
    next_character = 0;
    return letter;
}

static void initialise(const char *options, int posix) {
    if (!place) place = 1;
    first_skipped = last_skipped = place;
    next_character = 0;
    ordering = options[0] == '-' ? RETURN_IN_ORDER
        : options[0] == '+' || posix || raddle_find_variable("POSIXLY_CORRECT") ? REQUIRE_ORDER : PERMUTE;
    initialised = 1;
}

static int next(struct line *line) {
    char **arguments = line->arguments;
    if (!next_character || !*next_character) {
        if (last_skipped > place) last_skipped = place;
        if (first_skipped > place) first_skipped = place;
        if (ordering == PERMUTE) {
            if (first_skipped != last_skipped && last_skipped != place) exchange(arguments);
            else if (last_skipped != place) first_skipped = place;
            while (place < line->count && is_operand(line)) place++;
            last_skipped = place;
        }
        if (place != line->count && arguments[place][0] == '-' && arguments[place][1] == '-' && !arguments[place][2]) {
            place++;
            if (first_skipped != last_skipped && last_skipped != place) exchange(arguments);
            else if (first_skipped == last_skipped) first_skipped = place;
            last_skipped = place = line->count;
        }
        if (place == line->count) {
            if (first_skipped != last_skipped) place = first_skipped;
            return -1;
        }
        if (is_operand(line)) {
            if (ordering == REQUIRE_ORDER) return -1;
            optarg = arguments[place++];
            return 1;
        }
        char *argument = arguments[place];
        if (line->long_options && argument[1] == '-') {
            next_character = argument + 2;
            return long_option(line, "--");
        }
        next_character = argument + 1;
        if (line->long_options && line->long_only && (argument[2] || !find(line->options, argument[1]))) {
            int value = long_option(line, "-");
            if (value != -1) return value;
        }
    }
    return short_option(line);
}

static int parse(struct line line, int posix) {
    if (line.count < 1) return -1;
    place = optind;
    optarg = 0;
    if (!place || !initialised) initialise(line.options, posix);
    if (line.options[0] == '-' || line.options[0] == '+') line.options++;
    line.says = opterr && line.options[0] != ':';
    int result = next(&line);
    optind = place;
    optopt = bad_option;
    return result;
}

#define EMPTY_ENVIRONMENT __raddle_fixed("the environment is empty but for what --env sets")

/* getopt: the next option; moves the other arguments behind the options unless POSIXLY_CORRECT is set */
int getopt(int count, char *const *arguments, const char *options) {
    EMPTY_ENVIRONMENT;
    return parse((struct line){count, (char **)arguments, options, 0, 0, 0, 0}, 0);
}

/* __posix_getopt: getopt that stops at the first argument that is no option */
int __posix_getopt(int count, char *const *arguments, const char *options) {
    return parse((struct line){count, (char **)arguments, options, 0, 0, 0, 0}, 1);
}

/* getopt_long: the same with long options, which may be abbreviated */
int getopt_long(int count, char *const *arguments, const char *options, const struct long_option *long_options,
                int *index) {
    EMPTY_ENVIRONMENT;
    return parse((struct line){count, (char **)arguments, options, long_options, index, 0, 0}, 0);
}

/* getopt_long_only: the same; one dash is enough for a long option */
int getopt_long_only(int count, char *const *arguments, const char *options, const struct long_option *long_options,
                     int *index) {
    EMPTY_ENVIRONMENT;
    return parse((struct line){count, (char **)arguments, options, long_options, index, 1, 0}, 0);
}
