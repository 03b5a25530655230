/* Input of <stdio.h>: files and stdin hold anything (every character is a choice), and end anywhere.
 *
 * Deviations: 1. what was written to a file is not what is read from it: reading is always a choice. 2. Reading ends,
 * but never fails otherwise; the end stays the end. 3. fopen gives a stream or null (a choice). 4. scanf: each
 * conversion succeeds with any value, fails, or meets the end (a choice); what one call leaves unread has no effect
 * on the next. 5. Positions in a file are unsupported. 6. A string of "%s" without a width has any length: that it
 * overruns its buffer is found.
 */
#include "stream.h"

enum { END = -1 };

static int next(struct raddle_stream *stream) {
    raddle_possible_cancellation_point();
    __raddle_begin();
    int result = END;
    if (stream->pushed_back) {
        result = stream->pushed_back - 1;
        stream->pushed_back = 0;
    } else if (!stream->at_end) {
        result = (int)__raddle_choose(257) - 1;
        if (result == END) stream->at_end = 1;
    }
    __raddle_end();
    return result;
}

static char *line(char *buffer, int size, struct raddle_stream *stream) {
    int length = 0;
    if (size <= 0) return 0;
    while (length + 1 < size) {
        int c = next(stream);
        if (c == END) {
            if (length == 0) return 0;
            break;
        }
        buffer[length++] = (char)c;
        if (c == '\n') break;
    }
    buffer[length] = 0;
    return buffer;
}

/* getchar: any character, or the end (a choice) */
RADDLE_ORDERED("always")
int getchar(void) { return next(stdin); }

/* getchar_unlocked: as getchar */
RADDLE_ORDERED("always")
int getchar_unlocked(void) { return next(stdin); }

/* fgetc: any character, or the end (a choice) */
RADDLE_ORDERED("always")
int fgetc(struct raddle_stream *stream) { return next(stream); }

/* getc: any character, or the end (a choice) */
RADDLE_ORDERED("always")
int getc(struct raddle_stream *stream) { return next(stream); }

/* getc_unlocked: as getc */
RADDLE_ORDERED("always")
int getc_unlocked(struct raddle_stream *stream) { return next(stream); }

/* ungetc: one character; a second one fails */
int ungetc(int character, struct raddle_stream *stream) {
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
    for (;;) {
        int c = next(stdin);
        if (c == END && length == 0) return 0;
        if (c == END || c == '\n') break;
        buffer[length++] = (char)c;
    }
    buffer[length] = 0;
    return buffer;
}

/* fread: any bytes, as many as it likes (a choice) */
RADDLE_ORDERED("always")
size_t fread(void *buffer, size_t size, size_t count, struct raddle_stream *stream) {
    if (size == 0 || count == 0) return 0;
    raddle_possible_cancellation_point();
    __raddle_begin();
    int over = stream->at_end;
    size_t got = over ? 0 : (size_t)__raddle_choose((unsigned long long)count + 1);
    if (got < count) stream->at_end = 1;
    __raddle_end();
    for (size_t i = 0; i < got * size; i++) ((unsigned char *)buffer)[i] = (unsigned char)__raddle_any(8);
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

/* fileno: 0, 1, 2; a file's is unsupported */
int fileno(struct raddle_stream *stream) {
    if (stream->number > 2) __raddle_unsupported("fileno: of a file");
    return stream->number;
}

static struct raddle_stream *open_any(void) {
    raddle_possible_cancellation_point();
    if (__raddle_choose(2)) {
        raddle_errno = ENOENT;
        return 0;
    }
    struct raddle_stream *stream = (struct raddle_stream *)__raddle_alloc(sizeof *stream, RADDLE_INTERNAL);
    __raddle_begin();
    stream->number = 3;
    __raddle_end();
    return stream;
}

/* fopen: a stream or null with ENOENT (a choice) */
RADDLE_ORDERED("always")
struct raddle_stream *fopen(const char *name, const char *mode) { return open_any(); }

/* fopen64: as fopen */
RADDLE_ORDERED("always")
struct raddle_stream *fopen64(const char *name, const char *mode) { return open_any(); }

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

static int scan_text(const char *text, const char *format, va_list arguments) {
    const char *at = text;
    int done = 0;
    while (*format) {
        if (is_space((unsigned char)*format)) {
            while (is_space((unsigned char)*at)) at++;
            format++;
            continue;
        }
        if (*format != '%') {
            if (*at != *format) return !*at && !done ? END : done;
            at++, format++;
            continue;
        }
        struct conversion c;
        format = conversion_at(format + 1, &c);
        if (c.kind != 'c' && c.kind != '[' && c.kind != 'n')
            while (is_space((unsigned char)*at)) at++;
        if (c.kind == '%') {
            if (*at != '%') return !*at && !done ? END : done;
            at++;
            continue;
        }
        if (c.kind == 'n') {
            if (!c.suppressed) store(va_arg(arguments, void *), c.length, (unsigned long long)(at - text));
            continue;
        }
        if (!*at) return done ? done : END;
        if (is_integer(c.kind)) {
            char digits[72];
            int length = integer_length(at, base_of(c.kind), c.width);
            if (length == 0) return done;
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
            if (end == at) return done;
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
                if (!*at) return done ? done : END;
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
            if (length == 0) return done;
            if (target) target[length] = 0;
        } else {
            __raddle_unsupported("sscanf: this conversion");
        }
        if (!c.suppressed) done++;
    }
    return done;
}

static int scan_anything(struct raddle_stream *stream, const char *format, va_list arguments) {
    int done = 0;
    raddle_possible_cancellation_point();
    for (; *format; ) {
        if (*format != '%') {
            if (!is_space((unsigned char)*format) && __raddle_choose(2)) return done;
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
        switch (__raddle_choose(3)) {
        case 1: return done;
        case 2: return done ? done : END;
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

/* scanf: any input (a choice) */
RADDLE_ORDERED("always")
int scanf(const char *format, ...) { WITH_ARGUMENTS(scan_anything(stdin, format, arguments)); }
/* fscanf: any input (a choice) */
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
