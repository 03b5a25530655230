/* Input of <stdio.h>: files and stdin hold anything (every character is a choice), and end anywhere, unless --file or
 * --stdin gives their contents.
 *
 * Deviations: 1. what was written to a file is not what is read from it: reading is a choice. 2. Reading ends,
 * but never fails otherwise, which is printed; the end stays the end. 3. fopen gives a stream or null (a choice). 4. scanf: each
 * conversion succeeds with any value, fails, or meets the end (a choice); what one call leaves unread has no effect
 * on the next; after ungetc it is unsupported. 5. A position in a file is any number. 6. A string of "%s" without a width has any length: that it
 * overruns its buffer is found.
 *
 * Of given contents each call reads what follows the last call's. The lock that ISO C gives each stream (7.21.2) keeps
 * calls apart and orders them there.
 */
#include "stream.h"

enum { END = -1 };

/* Takes the stream's lock where its contents are given; gives these. No step in a program without given files. */
static const struct raddle_given *hold(struct raddle_stream *stream) {
    if (!raddle_some_are_given()) return 0;
    __raddle_begin();
    const struct raddle_given *given = raddle_contents(stream);
    if (given) {
        if (stream->user) __raddle_block(RADDLE_WAIT_OTHER, stream, stream->user);
        if (stream->number == 0) raddle_read_standard_input_as(RADDLE_BY_STREAM);
        stream->user = __raddle_self();
        __raddle_acquire(stream, 0);
    }
    __raddle_end();
    return given;
}

static void leave(struct raddle_stream *stream, const struct raddle_given *given) {
    if (!given) return;
    __raddle_begin();
    __raddle_release(stream, 0);
    stream->user = 0;
    __raddle_end();
}

#define READING_SUCCEEDS __raddle_fixed("reading a stream fails only at its end")

/* One character; the caller holds the stream. */
static int next(struct raddle_stream *stream, const struct raddle_given *given) {
    READING_SUCCEEDS;
    if (!given) raddle_possible_cancellation_point();
    __raddle_begin();
    int result = END;
    if (stream->pushed_back) {
        result = stream->pushed_back - 1;
        stream->pushed_back = 0;
    } else if (given) {
        if (stream->position < given->size) result = (unsigned char)given->bytes[stream->position++];
        else stream->at_end = 1;
    } else if (!stream->at_end) {
        result = (int)__raddle_choose(257) - 1;
        if (result == END) stream->at_end = 1;
    }
    __raddle_end();
    return result;
}

static int character(struct raddle_stream *stream) {
    /* Before the stream is held: a cancelled thread would not give it back. */
    if (raddle_some_are_given()) raddle_possible_cancellation_point();
    const struct raddle_given *given = hold(stream);
    int result = next(stream, given);
    leave(stream, given);
    return result;
}

static char *line(char *buffer, int size, struct raddle_stream *stream) {
    int length = 0;
    if (size <= 0) return 0;
    const struct raddle_given *given = hold(stream);
    while (length + 1 < size) {
        int c = next(stream, given);
        if (c == END) break;
        buffer[length++] = (char)c;
        if (c == '\n') break;
    }
    leave(stream, given);
    if (length == 0 && size > 1) return 0;
    buffer[length] = 0;
    return buffer;
}

/* getchar: any character, or the end (a choice) */
RADDLE_ORDERED("always")
int getchar(void) { return character(stdin); }

/* getchar_unlocked: as getchar */
RADDLE_ORDERED("always")
int getchar_unlocked(void) { return character(stdin); }

/* fgetc: any character, or the end (a choice) */
RADDLE_ORDERED("always")
int fgetc(struct raddle_stream *stream) { return character(stream); }

/* getc: any character, or the end (a choice) */
RADDLE_ORDERED("always")
int getc(struct raddle_stream *stream) { return character(stream); }

/* getc_unlocked: as getc */
RADDLE_ORDERED("always")
int getc_unlocked(struct raddle_stream *stream) { return character(stream); }

/* ungetc: one character; a second one fails */
int ungetc(int character, struct raddle_stream *stream) {
    __raddle_fixed("ungetc of a second character fails");
    int result = END;
    if (character == END) return END;
    __raddle_begin();
    if (!stream->pushed_back) {
        result = (unsigned char)character;
        stream->pushed_back = result + 1;
        stream->at_end = 0;
    }
    __raddle_end();
    return result;
}

/* fgets: any line that fits, or the end (a choice) */
RADDLE_ORDERED("always")
char *fgets(char *buffer, int size, struct raddle_stream *stream) { return line(buffer, size, stream); }

/* gets: any line; that it overruns its buffer is found */
RADDLE_ORDERED("always")
char *gets(char *buffer) {
    size_t length = 0;
    const struct raddle_given *given = hold(stdin);
    int c;
    while ((c = next(stdin, given)) != END && c != '\n') buffer[length++] = (char)c;
    leave(stdin, given);
    if (c == END && length == 0) return 0;
    buffer[length] = 0;
    return buffer;
}

/* fread: any bytes, as many as it likes (a choice) */
RADDLE_ORDERED("always")
size_t fread(void *buffer, size_t size, size_t count, struct raddle_stream *stream) {
    if (size == 0 || count == 0) return 0;
    raddle_possible_cancellation_point();
    const struct raddle_given *given = hold(stream);
    if (given) {
        size_t length = 0;
        int c;
        for (; length < size * count && (c = next(stream, given)) != END; length++)
            ((unsigned char *)buffer)[length] = (unsigned char)c;
        leave(stream, given);
        return length / size;
    }
    READING_SUCCEEDS;
    __raddle_begin();
    int over = stream->at_end, pushed_back = stream->pushed_back;
    /* Of a character that was pushed back, at least that one. */
    size_t least = pushed_back && size == 1;
    size_t got = over ? least : least + (size_t)__raddle_choose((unsigned long long)(count - least) + 1);
    if (got < count) stream->at_end = 1;
    stream->pushed_back = 0;
    __raddle_end();
    for (size_t i = 0; i < got * size; i++) ((unsigned char *)buffer)[i] = (unsigned char)__raddle_any(8);
    if (pushed_back && got) ((unsigned char *)buffer)[0] = (unsigned char)(pushed_back - 1);
    return got;
}

/* feof: whether reading met the end */
int feof(struct raddle_stream *stream) {
    __raddle_begin();
    int result = stream->at_end;
    __raddle_end();
    return result;
}

/* ferror: always 0: reading and writing never fail */
int ferror(struct raddle_stream *stream) {
    __raddle_fixed("streams never fail (ferror)");
    return 0;
}

/* clearerr: forgets the end */
void clearerr(struct raddle_stream *stream) {
    __raddle_begin();
    stream->at_end = 0;
    __raddle_end();
}

/* rewind: to the beginning; forgets the end */
void rewind(struct raddle_stream *stream) {
    const struct raddle_given *given = hold(stream);
    __raddle_begin();
    stream->at_end = 0;
    stream->pushed_back = 0;
    stream->position = 0;
    __raddle_end();
    leave(stream, given);
}

static int seek(struct raddle_stream *stream, long offset, int from) {
    if (from < 0 || from > 2) {
        raddle_errno = EINVAL;
        return -1;
    }
    const struct raddle_given *given = hold(stream);
    int failed = 0;
    __raddle_begin();
    if (given) {
        long start = from == 0 ? 0 : from == 1 ? (long)stream->position - (stream->pushed_back != 0) : (long)given->size;
        long target;
        failed = __builtin_add_overflow(start, offset, &target) || target < 0;
        if (!failed) stream->position = (size_t)target;
    } else {
        failed = (int)__raddle_choose(2);
    }
    if (!failed) stream->at_end = stream->pushed_back = 0;
    __raddle_end();
    leave(stream, given);
    if (failed) raddle_errno = EINVAL;
    return -failed;
}

/* fseek: in given contents to that position; else succeeds or fails (a choice) and forgets the end */
RADDLE_ORDERED("always")
int fseek(struct raddle_stream *stream, long offset, int from) { return seek(stream, offset, from); }

/* fseeko: as fseek */
RADDLE_ORDERED("always")
int fseeko(struct raddle_stream *stream, long offset, int from) { return seek(stream, offset, from); }

static long tell(struct raddle_stream *stream) {
    const struct raddle_given *given = hold(stream);
    long result;
    __raddle_begin();
    if (given) result = (long)stream->position - (stream->pushed_back != 0);
    else result = __raddle_choose(2) ? -1 : (long)__raddle_any(31);
    __raddle_end();
    leave(stream, given);
    if (result >= 0) return result;
    raddle_errno = EIO;
    return -1;
}

/* ftell: the position in given contents; else any number below 2^31, or -1 (a choice) */
RADDLE_ORDERED("always")
long ftell(struct raddle_stream *stream) { return tell(stream); }

/* ftello: as ftell */
RADDLE_ORDERED("always")
long ftello(struct raddle_stream *stream) { return tell(stream); }

static long delimited(char **text, size_t *size, int delimiter, struct raddle_stream *stream) {
    size_t length = 0;
    const struct raddle_given *given = hold(stream);
    int c, failed = 0;
    do {
        if (!*text || length + 1 >= *size) {
            size_t larger = !*text || *size < 60 ? 120 : 2 * *size;
            char *block = (char *)raddle_allocate(larger, RADDLE_HEAP);
            failed = !block;
            if (failed) break;
            if (*text) {
                for (size_t i = 0; i < length; i++) block[i] = (*text)[i];
                __raddle_free(*text);
            }
            *text = block;
            *size = larger;
        }
        c = next(stream, given);
        if (c == END) break;
        (*text)[length++] = (char)c;
    } while (c != delimiter);
    leave(stream, given);
    if (failed || length == 0) return -1;
    (*text)[length] = 0;
    return (long)length;
}

/* getdelim: a line that a delimiter ends, in a block that grows; any line, or the end (a choice) */
RADDLE_ORDERED("always")
long getdelim(char **text, size_t *size, int delimiter, struct raddle_stream *stream) {
    return delimited(text, size, delimiter, stream);
}

/* getline: any line, or the end (a choice), in a block that grows */
RADDLE_ORDERED("always")
long getline(char **text, size_t *size, struct raddle_stream *stream) { return delimited(text, size, '\n', stream); }

/* fileno: 0, 1, 2; a file's is unsupported */
int fileno(struct raddle_stream *stream) {
    if (stream->number > 2) __raddle_unsupported("fileno: of a file");
    return stream->number;
}

static struct raddle_stream *open_any(const char *name, const char *mode) {
    raddle_possible_cancellation_point();
    const struct raddle_given *given = name ? raddle_given(name) : 0;
    (void)raddle_string_length(mode);
    if (mode[0] != 'r') given = 0;
    if (given && (mode[1] == '+' || (mode[1] && mode[2] == '+')))
        __raddle_unsupported("fopen: writing to a file whose contents --file gives");
    __raddle_fixed("fopen that fails sets errno to ENOENT");
    if (!given && __raddle_choose(2)) {
        raddle_errno = ENOENT;
        return 0;
    }
    struct raddle_stream *stream = (struct raddle_stream *)__raddle_alloc(sizeof *stream, RADDLE_INTERNAL);
    __raddle_begin();
    stream->number = 3;
    stream->given = given;
    __raddle_end();
    return stream;
}

/* fopen: a stream or null with ENOENT (a choice); a file of --file opens */
RADDLE_ORDERED("always")
struct raddle_stream *fopen(const char *name, const char *mode) { return open_any(name, mode); }

/* fopen64: as fopen */
RADDLE_ORDERED("always")
struct raddle_stream *fopen64(const char *name, const char *mode) { return open_any(name, mode); }

/* fdopen: a stream with any contents, or null (a choice) */
RADDLE_ORDERED("always")
struct raddle_stream *fdopen(int descriptor, const char *mode) { return open_any(0, mode); }

/* tmpfile: a stream or null (a choice); what is read from it is a choice */
RADDLE_ORDERED("always")
struct raddle_stream *tmpfile(void) { return open_any(0, "w"); }

/* fclose: closing twice, and use after closing, are memory faults */
RADDLE_ORDERED("always")
int fclose(struct raddle_stream *stream) {
    __raddle_fixed("output never fails and is never short");
    raddle_possible_cancellation_point();
    if (stream->number > 2) __raddle_free(stream);
    return 0;
}

/* -- scanf ------------------------------------------------------------------------------------------------------ */

static int is_space(int c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

/* One conversion of a format. */
struct conversion {
    int suppressed, width, length, kind; /* length: 'H' for hh, 'h', 'l', 'L' for ll, 'z', 't', 'j', or 0 */
    const char *set;                     /* for '[': the first character of the set */
    int inverted, set_length;
};

/* Reads what follows a '%'; gives the place after it. */
static const char *conversion_at(const char *at, struct conversion *c) {
    *c = (struct conversion){0};
    if (*at == '*') c->suppressed = 1, at++;
    while (*at >= '0' && *at <= '9') c->width = c->width * 10 + (*at++ - '0');
    switch (*at) {
    case 'h':
        c->length = 'h', at++;
        if (*at == 'h') c->length = 'H', at++;
        break;
    case 'l':
        c->length = 'l', at++;
        if (*at == 'l') c->length = 'L', at++;
        break;
    case 'q': c->length = 'L', at++; break;
    case 'L': case 'z': case 't': case 'j': c->length = *at++; break;
    }
    c->kind = *at++;
    if (c->kind == '[') {
        if (*at == '^') c->inverted = 1, at++;
        c->set = at;
        if (*at == ']') at++;
        while (*at && *at != ']') at++;
        c->set_length = (int)(at - c->set);
        if (*at) at++;
    }
    return at;
}

static int is_in_set(const struct conversion *c, unsigned char character) {
    int found = 0;
    for (int i = 0; i < c->set_length; i++) {
        if (i + 2 < c->set_length && c->set[i + 1] == '-') {
            found |= (unsigned char)c->set[i] <= character && character <= (unsigned char)c->set[i + 2];
            i += 2;
        } else {
            found |= (unsigned char)c->set[i] == character;
        }
    }
    return found != c->inverted;
}

static void store(void *target, int length, unsigned long long value) {
    switch (length) {
    case 'H': *(unsigned char *)target = (unsigned char)value; break;
    case 'h': *(unsigned short *)target = (unsigned short)value; break;
    case 'l': *(unsigned long *)target = (unsigned long)value; break;
    case 'L': case 'j': *(unsigned long long *)target = value; break;
    case 'z': case 't': *(size_t *)target = (size_t)value; break;
    default: *(unsigned *)target = (unsigned)value; break;
    }
}

static void store_double(void *target, int length, double value) {
    if (length == 'l') *(double *)target = value;
    else if (length == 0) *(float *)target = (float)value;
    else __raddle_unsupported("scanf: long double");
}

static int is_integer(int kind) {
    return kind == 'd' || kind == 'i' || kind == 'u' || kind == 'x' || kind == 'X' || kind == 'o';
}

static int is_floating(int kind) { return kind == 'f' || kind == 'g' || kind == 'e' || kind == 'a' || kind == 'E'; }

static int base_of(int kind) {
    return kind == 'x' || kind == 'X' ? 16 : kind == 'o' ? 8 : kind == 'i' ? 0 : 10;
}

/* The longest prefix that is an integer of this base, at most `width` characters long; 0: none. */
static int integer_length(const char *at, int base, int width) {
    int length = 0, digits = 0;
    if (width == 0) width = INT_MAX;
    if (length < width && (at[length] == '+' || at[length] == '-')) length++;
    if ((base == 16 || base == 0) && length + 1 < width && at[length] == '0' &&
        (at[length + 1] == 'x' || at[length + 1] == 'X')) {
        length += 2;
        base = 16;
        digits = 1;
    } else if (base == 0) {
        base = at[length] == '0' ? 8 : 10;
    }
    for (; length < width; length++, digits++) {
        int c = (unsigned char)at[length];
        int value = c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10
                  : c >= 'A' && c <= 'F' ? c - 'A' + 10 : 99;
        if (value >= base) break;
    }
    return digits ? length : 0;
}

/* Where a text was left, and whether a conversion met its end. */
struct place { const char *at; int met_end; };

static int scan_place(struct place *place, const char *format, va_list arguments);

static int scan_text(const char *text, const char *format, va_list arguments) {
    struct place place = {text, 0};
    return scan_place(&place, format, arguments);
}

#define LEFT(result) (place->at = at, place->met_end |= !*at, result)

static int scan_place(struct place *place, const char *format, va_list arguments) {
    const char *text = place->at, *at = text;
    int done = 0;
    while (*format) {
        if (is_space((unsigned char)*format)) {
            while (is_space((unsigned char)*at)) at++;
            place->met_end |= !*at;
            format++;
            continue;
        }
        if (*format != '%') {
            if (*at != *format) return LEFT(!*at && !done ? END : done);
            at++, format++;
            continue;
        }
        struct conversion c;
        format = conversion_at(format + 1, &c);
        if (c.kind != 'c' && c.kind != '[' && c.kind != 'n')
            while (is_space((unsigned char)*at)) at++;
        if (c.kind == '%') {
            if (*at != '%') return LEFT(!*at && !done ? END : done);
            at++;
            continue;
        }
        if (c.kind == 'n') {
            if (!c.suppressed) store(va_arg(arguments, void *), c.length, (unsigned long long)(at - text));
            continue;
        }
        if (!*at) return LEFT(done ? done : END);
        const char *start = at;
        if (is_integer(c.kind)) {
            char digits[72];
            int length = integer_length(at, base_of(c.kind), c.width);
            if (length == 0) return LEFT(done);
            if (length > 70) __raddle_unsupported("sscanf: a number of more than 70 characters");
            for (int i = 0; i < length; i++) digits[i] = at[i];
            digits[length] = 0;
            int is_long_long = c.length == 'L' || c.length == 'j';
            unsigned long long value;
            if (c.kind == 'd' || c.kind == 'i')
                value = (unsigned long long)raddle_parse_signed(digits, 0, base_of(c.kind),
                    is_long_long ? LLONG_MIN : LONG_MIN, is_long_long ? LLONG_MAX : LONG_MAX, 0);
            else
                value = raddle_parse_unsigned(digits, 0, base_of(c.kind), is_long_long ? ULLONG_MAX : ULONG_MAX, 0);
            at += length;
            if (!c.suppressed) store(va_arg(arguments, void *), c.length, value);
        } else if (is_floating(c.kind)) {
            char *end;
            if (c.width) __raddle_unsupported("sscanf: a floating-point conversion with a width");
            double value = raddle_parse_double(at, &end);
            if (end == at) return LEFT(done);
            const char *number = at + (*at == '+' || *at == '-');
            int is_hexadecimal = number[0] == '0' && (number[1] == 'x' || number[1] == 'X');
            if (is_hexadecimal ? *end == 'p' || *end == 'P' || end == number + 1 : *end == 'e' || *end == 'E')
                __raddle_unsupported("sscanf: an unfinished exponent or hexadecimal number");
            at = end;
            if (!c.suppressed) store_double(va_arg(arguments, void *), c.length, value);
        } else if (c.kind == 'c') {
            int width = c.width ? c.width : 1;
            char *target = c.suppressed ? 0 : va_arg(arguments, char *);
            for (int i = 0; i < width; i++, at++) {
                if (!*at) return LEFT(done ? done : END);
                if (target) target[i] = *at;
            }
        } else if ((c.kind == 's' || c.kind == '[') && c.length == 0) {
            int length = 0;
            char *target = c.suppressed ? 0 : va_arg(arguments, char *);
            while (*at && (c.width == 0 || length < c.width)) {
                if (c.kind == 's' ? is_space((unsigned char)*at) : !is_in_set(&c, (unsigned char)*at)) break;
                if (target) target[length] = *at;
                length++, at++;
            }
            if (length == 0) return LEFT(done);
            if (target) target[length] = 0;
        } else {
            __raddle_unsupported("sscanf: this conversion");
        }
        if (!c.suppressed) done++;
        /* A conversion that ends by itself does not look further. */
        place->met_end |= !*at && c.kind != 'c' && (!c.width || at - start < c.width);
    }
    place->at = at;
    return done;
}

static int scan_given(struct raddle_stream *stream, const struct raddle_given *given, const char *format, va_list arguments) {
    __raddle_begin();
    int pushed_back = stream->pushed_back;
    size_t position = stream->position < given->size ? stream->position : given->size;
    __raddle_end();
    if (pushed_back) {
        if (position == 0 || (unsigned char)given->bytes[position - 1] != pushed_back - 1)
            __raddle_unsupported("fscanf: after ungetc of another character than was read");
        position--;
    }
    struct place place = {given->bytes + position, 0};
    int done = scan_place(&place, format, arguments);
    size_t length = (size_t)(place.at - given->bytes);
    if (place.met_end && length < given->size) __raddle_unsupported("fscanf: given contents with a zero byte");
    __raddle_begin();
    stream->pushed_back = 0;
    stream->position = length;
    if (place.met_end) stream->at_end = 1;
    __raddle_end();
    leave(stream, given);
    return done;
}

static void meet_end(struct raddle_stream *stream) {
    __raddle_begin();
    stream->at_end = 1;
    __raddle_end();
}

static int scan_anything(struct raddle_stream *stream, const char *format, va_list arguments) {
    int done = 0;
    raddle_possible_cancellation_point();
    const struct raddle_given *given = hold(stream);
    if (given) return scan_given(stream, given, format, arguments);
    READING_SUCCEEDS;
    __raddle_begin();
    int pushed_back = stream->pushed_back, at_end = stream->at_end;
    __raddle_end();
    if (pushed_back) __raddle_unsupported("fscanf: after ungetc");
    for (; *format; ) {
        if (*format != '%') {
            if (!is_space((unsigned char)*format)) {
                /* The text differs, or is over. */
                if (at_end) return done ? done : END;
                switch (__raddle_choose(3)) {
                case 1: return done;
                case 2:
                    meet_end(stream);
                    return done ? done : END;
                }
            }
            format++;
            continue;
        }
        struct conversion c;
        format = conversion_at(format + 1, &c);
        if (c.kind == 'n') {
            /* How much was read is as unknown as the input. */
            if (!c.suppressed) store(va_arg(arguments, void *), c.length, __raddle_any(31));
            continue;
        }
        if (at_end) return done ? done : END;
        switch (__raddle_choose(3)) {
        case 1: return done;
        case 2:
            meet_end(stream);
            return done ? done : END;
        }
        /* What is looked at behind it may be the end. */
        if (c.kind != 'c' && c.kind != '%' && __raddle_choose(2)) {
            meet_end(stream);
            at_end = 1;
        }
        if (c.kind == '%') continue;
        if (is_integer(c.kind)) {
            if (!c.suppressed) store(va_arg(arguments, void *), c.length, __raddle_any(64));
        } else if (is_floating(c.kind)) {
            union { unsigned long long bits; double value; } both;
            both.bits = __raddle_any(64);
            if (!c.suppressed) store_double(va_arg(arguments, void *), c.length, both.value);
        } else if (c.kind == 'c') {
            char *target = c.suppressed ? 0 : va_arg(arguments, char *);
            for (int i = 0; target && i < (c.width ? c.width : 1); i++) target[i] = (char)__raddle_any(8);
        } else if ((c.kind == 's' || c.kind == '[') && c.length == 0) {
            char *target = c.suppressed ? 0 : va_arg(arguments, char *);
            int length = 0;
            /* At least one character; then it goes on as long as it likes. */
            while (target && (c.width == 0 || length < c.width) && (length == 0 || __raddle_choose(2))) {
                unsigned char any = (unsigned char)(1 + __raddle_choose(255));
                if (c.kind == 's' ? is_space(any) : !is_in_set(&c, any)) {
                    __raddle_assume(c.kind == 's');
                    any = 'a';
                }
                target[length++] = (char)any;
            }
            if (target) target[length] = 0;
        } else {
            __raddle_unsupported("scanf: this conversion");
        }
        if (!c.suppressed) done++;
    }
    return done;
}

#define WITH_ARGUMENTS(call) \
    va_list arguments; \
    va_start(arguments, format); \
    int count = call; \
    va_end(arguments); \
    return count

/* scanf: the input of --stdin, else any (a choice) */
RADDLE_ORDERED("always")
int scanf(const char *format, ...) { WITH_ARGUMENTS(scan_anything(stdin, format, arguments)); }
/* fscanf: what --file or --stdin gives, else any input (a choice) */
RADDLE_ORDERED("always")
int fscanf(struct raddle_stream *stream, const char *format, ...) {
    WITH_ARGUMENTS(scan_anything(stream, format, arguments));
}
/* sscanf: reads the text */
int sscanf(const char *text, const char *format, ...) { WITH_ARGUMENTS(scan_text(text, format, arguments)); }
/* vscanf: any input (a choice) */
RADDLE_ORDERED("always")
int vscanf(const char *format, va_list arguments) { return scan_anything(stdin, format, arguments); }
/* vfscanf: any input (a choice) */
RADDLE_ORDERED("always")
int vfscanf(struct raddle_stream *stream, const char *format, va_list arguments) {
    return scan_anything(stream, format, arguments);
}
/* vsscanf: reads the text */
int vsscanf(const char *text, const char *format, va_list arguments) { return scan_text(text, format, arguments); }
/* __isoc99_scanf: scanf */
RADDLE_ORDERED("always")
int __isoc99_scanf(const char *format, ...) { WITH_ARGUMENTS(scan_anything(stdin, format, arguments)); }
/* __isoc99_fscanf: fscanf */
RADDLE_ORDERED("always")
int __isoc99_fscanf(struct raddle_stream *stream, const char *format, ...) {
    WITH_ARGUMENTS(scan_anything(stream, format, arguments));
}
/* __isoc99_sscanf: sscanf */
int __isoc99_sscanf(const char *text, const char *format, ...) { WITH_ARGUMENTS(scan_text(text, format, arguments)); }
/* __isoc99_vscanf: vscanf */
RADDLE_ORDERED("always")
int __isoc99_vscanf(const char *format, va_list arguments) { return scan_anything(stdin, format, arguments); }
/* __isoc99_vfscanf: vfscanf */
RADDLE_ORDERED("always")
int __isoc99_vfscanf(struct raddle_stream *stream, const char *format, va_list arguments) {
    return scan_anything(stream, format, arguments);
}
/* __isoc99_vsscanf: vsscanf */
int __isoc99_vsscanf(const char *text, const char *format, va_list arguments) {
    return scan_text(text, format, arguments);
}
/* __isoc23_scanf: scanf; binary integers of %i are read as in C17 */
RADDLE_ORDERED("always")
int __isoc23_scanf(const char *format, ...) { WITH_ARGUMENTS(scan_anything(stdin, format, arguments)); }
/* __isoc23_fscanf: fscanf; binary integers of %i are read as in C17 */
RADDLE_ORDERED("always")
int __isoc23_fscanf(struct raddle_stream *stream, const char *format, ...) {
    WITH_ARGUMENTS(scan_anything(stream, format, arguments));
}
/* __isoc23_sscanf: sscanf; binary integers of %i are read as in C17 */
int __isoc23_sscanf(const char *text, const char *format, ...) { WITH_ARGUMENTS(scan_text(text, format, arguments)); }
