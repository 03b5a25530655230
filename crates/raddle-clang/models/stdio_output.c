/* Output of <stdio.h>. What goes to stdout and stderr is output of the run and shown in the trace; the conversions are
 * the machine's. What goes to a file is formatted and dropped.
 *
 * Deviations: 1. stdout, stderr and stdin cannot be assigned. 2. Output never fails and is never buffered, so a crash
 * loses nothing. 3. A stream's own lock orders nothing. 4. All bytes that one call reads (of %s
 * arguments) and writes (sprintf) are one step.
 */
#include "files.h"

static struct raddle_stream standard_input = {0}, standard_output = {1}, standard_error = {2};
struct raddle_stream *const stdin = &standard_input;
struct raddle_stream *const stdout = &standard_output;
struct raddle_stream *const stderr = &standard_error;

static int say(int number, const char *format, va_list arguments) {
    raddle_possible_cancellation_point();
    return __raddle_print(number, format, arguments);
}

static void put(struct raddle_stream *stream, const char *bytes, size_t size) {
    raddle_possible_cancellation_point();
    int number = stream->number;
    if (number == 1 || number == 2) __raddle_output(number, bytes, size);
    else raddle_look_at(bytes, size);
}

/* A stream that was closed is gone. */
static void use(struct raddle_stream *stream) {
    if (stream) (void)*(volatile int *)&stream->number;
}

static int print(struct raddle_stream *stream, const char *format, va_list arguments) {
    int number = stream->number;
    if (number == 1 || number == 2) return say(number, format, arguments);
    raddle_possible_cancellation_point();
    return __raddle_format(0, 0, format, arguments);
}

static int put_character(int character, struct raddle_stream *stream) {
    char byte = (char)character;
    put(stream, &byte, 1);
    return (unsigned char)byte;
}

/* What a caller may conclude from a result. */
#define OUTPUT_SUCCEEDS __raddle_fixed("output never fails and is never short")

#define WITH_ARGUMENTS(last, call) \
    va_list arguments; \
    va_start(arguments, last); \
    int count = call; \
    va_end(arguments); \
    return count

/* printf: formatted output */
RADDLE_ORDERED("always")
int printf(const char *format, ...) {
    OUTPUT_SUCCEEDS;
    WITH_ARGUMENTS(format, say(1, format, arguments));
}

/* fprintf: formatted output; to a file it is dropped */
RADDLE_ORDERED("always")
int fprintf(struct raddle_stream *stream, const char *format, ...) {
    OUTPUT_SUCCEEDS;
    WITH_ARGUMENTS(format, print(stream, format, arguments));
}

/* dprintf: formatted output to descriptor 1 or 2; others drop it */
RADDLE_ORDERED("always")
int dprintf(int descriptor, const char *format, ...) {
    OUTPUT_SUCCEEDS;
    WITH_ARGUMENTS(format, descriptor == 1 || descriptor == 2 ? say(descriptor, format, arguments)
                                                              : __raddle_format(0, 0, format, arguments));
}

/* sprintf: formatted text into a buffer; too small a buffer is a memory fault */
int sprintf(char *buffer, const char *format, ...) {
    WITH_ARGUMENTS(format, __raddle_format(buffer, INT_MAX, format, arguments));
}

/* snprintf: formatted text into a buffer of that size */
int snprintf(char *buffer, size_t size, const char *format, ...) {
    WITH_ARGUMENTS(format, __raddle_format(buffer, size, format, arguments));
}

/* vprintf: formatted output */
RADDLE_ORDERED("always")
int vprintf(const char *format, va_list arguments) {
    OUTPUT_SUCCEEDS;
    return say(1, format, arguments);
}

/* vfprintf: formatted output; to a file it is dropped */
RADDLE_ORDERED("always")
int vfprintf(struct raddle_stream *stream, const char *format, va_list arguments) {
    OUTPUT_SUCCEEDS;
    return print(stream, format, arguments);
}

/* vsprintf: formatted text into a buffer; too small a buffer is a memory fault */
int vsprintf(char *buffer, const char *format, va_list arguments) {
    return __raddle_format(buffer, INT_MAX, format, arguments);
}

/* vsnprintf: formatted text into a buffer of that size */
int vsnprintf(char *buffer, size_t size, const char *format, va_list arguments) {
    return __raddle_format(buffer, size, format, arguments);
}

static int allocate_formatted(char **result, const char *format, va_list arguments) {
    va_list again;
    va_copy(again, arguments);
    int count = __raddle_format(0, 0, format, again);
    va_end(again);
    char *text = (char *)raddle_allocate((size_t)count + 1, RADDLE_HEAP);
    if (!text) return -1;
    __raddle_format(text, (size_t)count + 1, format, arguments);
    *result = text;
    return count;
}

/* asprintf: formatted text into a new heap object */
int asprintf(char **result, const char *format, ...) {
    WITH_ARGUMENTS(format, allocate_formatted(result, format, arguments));
}

/* vasprintf: formatted text into a new heap object */
int vasprintf(char **result, const char *format, va_list arguments) {
    return allocate_formatted(result, format, arguments);
}

/* __printf_chk: printf of the fortified headers */
RADDLE_ORDERED("always")
int __printf_chk(int flag, const char *format, ...) {
    OUTPUT_SUCCEEDS;
    WITH_ARGUMENTS(format, say(1, format, arguments));
}

/* __fprintf_chk: fprintf of the fortified headers */
RADDLE_ORDERED("always")
int __fprintf_chk(struct raddle_stream *stream, int flag, const char *format, ...) {
    OUTPUT_SUCCEEDS;
    WITH_ARGUMENTS(format, print(stream, format, arguments));
}

/* __vprintf_chk: vprintf of the fortified headers */
RADDLE_ORDERED("always")
int __vprintf_chk(int flag, const char *format, va_list arguments) {
    OUTPUT_SUCCEEDS;
    return say(1, format, arguments);
}

/* __vfprintf_chk: vfprintf of the fortified headers */
RADDLE_ORDERED("always")
int __vfprintf_chk(struct raddle_stream *stream, int flag, const char *format, va_list arguments) {
    OUTPUT_SUCCEEDS;
    return print(stream, format, arguments);
}

/* Into a buffer whose size the compiler knew: too much text is a memory fault. */
static int checked(char *buffer, size_t size, size_t known, const char *format, va_list arguments) {
    if (size > known) __raddle_fault(RADDLE_MEMSAFETY, "formatted text is larger than its buffer", buffer);
    return __raddle_format(buffer, size, format, arguments);
}

/* __sprintf_chk: sprintf of the fortified headers */
int __sprintf_chk(char *buffer, int flag, size_t known, const char *format, ...) {
    WITH_ARGUMENTS(format, __raddle_format(buffer, INT_MAX, format, arguments));
}

/* __snprintf_chk: snprintf of the fortified headers */
int __snprintf_chk(char *buffer, size_t size, int flag, size_t known, const char *format, ...) {
    WITH_ARGUMENTS(format, checked(buffer, size, known, format, arguments));
}

/* __vsprintf_chk: vsprintf of the fortified headers */
int __vsprintf_chk(char *buffer, int flag, size_t known, const char *format, va_list arguments) {
    return __raddle_format(buffer, INT_MAX, format, arguments);
}

/* __vsnprintf_chk: vsnprintf of the fortified headers */
int __vsnprintf_chk(char *buffer, size_t size, int flag, size_t known, const char *format, va_list arguments) {
    return checked(buffer, size, known, format, arguments);
}

/* puts: a line of output */
RADDLE_ORDERED("always")
int puts(const char *text) {
    OUTPUT_SUCCEEDS;
    put(&standard_output, text, raddle_string_length(text));
    put(&standard_output, "\n", 1);
    /* glibc's count of what was written; ISO C requires only a number that is not negative. */
    return (int)raddle_string_length(text) + 1;
}

/* fputs: output; to a file it is dropped */
RADDLE_ORDERED("always")
int fputs(const char *text, struct raddle_stream *stream) {
    OUTPUT_SUCCEEDS;
    put(stream, text, raddle_string_length(text));
    return 1;
}

/* fputs_unlocked: as fputs */
RADDLE_ORDERED("always")
int fputs_unlocked(const char *text, struct raddle_stream *stream) {
    OUTPUT_SUCCEEDS;
    put(stream, text, raddle_string_length(text));
    return 1;
}

/* putchar: one character of output */
RADDLE_ORDERED("always")
int putchar(int character) {
    OUTPUT_SUCCEEDS;
    return put_character(character, &standard_output);
}

/* putchar_unlocked: as putchar */
RADDLE_ORDERED("always")
int putchar_unlocked(int character) {
    OUTPUT_SUCCEEDS;
    return put_character(character, &standard_output);
}

/* fputc: one character of output; to a file it is dropped */
RADDLE_ORDERED("always")
int fputc(int character, struct raddle_stream *stream) {
    OUTPUT_SUCCEEDS;
    return put_character(character, stream);
}

/* putc: one character of output; to a file it is dropped */
RADDLE_ORDERED("always")
int putc(int character, struct raddle_stream *stream) {
    OUTPUT_SUCCEEDS;
    return put_character(character, stream);
}

/* putc_unlocked: as putc */
RADDLE_ORDERED("always")
int putc_unlocked(int character, struct raddle_stream *stream) {
    OUTPUT_SUCCEEDS;
    return put_character(character, stream);
}

/* fwrite: writes everything; to a file it is dropped */
RADDLE_ORDERED("always")
size_t fwrite(const void *bytes, size_t size, size_t count, struct raddle_stream *stream) {
    OUTPUT_SUCCEEDS;
    put(stream, (const char *)bytes, size * count);
    return size == 0 ? 0 : count;
}

/* fflush: nothing to do: output is never buffered */
RADDLE_ORDERED("always")
int fflush(struct raddle_stream *stream) {
    OUTPUT_SUCCEEDS;
    raddle_possible_cancellation_point();
    use(stream);
    return 0;
}

/* setbuf: nothing to do: output is never buffered */
void setbuf(struct raddle_stream *stream, char *buffer) { use(stream); }

/* setbuffer: nothing to do: output is never buffered */
void setbuffer(struct raddle_stream *stream, char *buffer, size_t size) { use(stream); }

/* setlinebuf: nothing to do: output is never buffered */
void setlinebuf(struct raddle_stream *stream) { use(stream); }

/* setvbuf: nothing to do: output is never buffered */
int setvbuf(struct raddle_stream *stream, char *buffer, int mode, size_t size) {
    use(stream);
    return 0;
}

const char *raddle_error_text(int error);

/* perror: the text of errno, on stderr */
RADDLE_ORDERED("always")
void perror(const char *prefix) {
    const char *text = raddle_error_text(raddle_errno);
    if (prefix && *prefix) {
        put(&standard_error, prefix, raddle_string_length(prefix));
        put(&standard_error, ": ", 2);
    }
    put(&standard_error, text, raddle_string_length(text));
    put(&standard_error, "\n", 1);
}
