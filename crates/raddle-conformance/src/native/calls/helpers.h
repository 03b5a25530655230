/* What calls of one thread need beside their own lines. */
static int by_value(const void *left, const void *right) { return *(const int *)left - *(const int *)right; }
static int by_context(const void *left, const void *right, void *sign) {
    return *(int *)sign * (*(const int *)left - *(const int *)right);
}
/* A size that the native compiler does not know. */
static size_t hidden(size_t size) { volatile size_t copy = size; return copy; }

/* Declared only by the fortified headers. */
extern int __printf_chk(int, const char *, ...), __fprintf_chk(FILE *, int, const char *, ...);
extern int __sprintf_chk(char *, int, size_t, const char *, ...);
extern int __snprintf_chk(char *, size_t, int, size_t, const char *, ...);
extern int __vprintf_chk(int, const char *, va_list), __vfprintf_chk(FILE *, int, const char *, va_list);
extern int __vsprintf_chk(char *, int, size_t, const char *, va_list);
extern int __vsnprintf_chk(char *, size_t, int, size_t, const char *, va_list);
extern char *__strcpy_chk(char *, const char *, size_t), *__strcat_chk(char *, const char *, size_t);
extern char *__strncpy_chk(char *, const char *, size_t, size_t), *__strncat_chk(char *, const char *, size_t, size_t);
extern char *__stpcpy_chk(char *, const char *, size_t), *__stpncpy_chk(char *, const char *, size_t, size_t);
extern void *__memcpy_chk(void *, const void *, size_t, size_t), *__memmove_chk(void *, const void *, size_t, size_t);
extern void *__mempcpy_chk(void *, const void *, size_t, size_t), *__memset_chk(void *, int, size_t, size_t);
extern void __explicit_bzero_chk(void *, size_t, size_t);
extern char *__strdup(const char *), *__strndup(const char *, size_t);

static int with_list(struct notes *me, const char *format, ...) {
    char buffer[64], *text = 0;
    va_list list;
    va_start(list, format);
    NOTE(vsprintf(buffer, format, list));
    va_end(list);
    NOTE(of_text(buffer));
    va_start(list, format);
    NOTE(vsnprintf(buffer, 4, format, list));
    va_end(list);
    va_start(list, format);
    NOTE(vasprintf(&text, format, list));
    va_end(list);
    NOTE(of_text(text));
    free(text);
    va_start(list, format);
    NOTE(vprintf(format, list));
    va_end(list);
    va_start(list, format);
    int count = vfprintf(stderr, format, list);
    va_end(list);
    return count;
}

static int with_checked_list(struct notes *me, const char *format, ...) {
    char buffer[64];
    va_list list;
    va_start(list, format);
    NOTE(__vsprintf_chk(buffer, 1, sizeof buffer, format, list));
    va_end(list);
    NOTE(of_text(buffer));
    va_start(list, format);
    NOTE(__vsnprintf_chk(buffer, 3, 1, sizeof buffer, format, list));
    va_end(list);
    va_start(list, format);
    NOTE(__vprintf_chk(1, format, list));
    va_end(list);
    va_start(list, format);
    int count = __vfprintf_chk(stderr, 1, format, list);
    va_end(list);
    return count;
}

/* The headers redirect the plain names. */
extern int plain_scanf(const char *, ...) __asm__("scanf"), plain_fscanf(FILE *, const char *, ...) __asm__("fscanf");
extern int plain_sscanf(const char *, const char *, ...) __asm__("sscanf");
extern int plain_vscanf(const char *, va_list) __asm__("vscanf");
extern int plain_vfscanf(FILE *, const char *, va_list) __asm__("vfscanf");
extern int plain_vsscanf(const char *, const char *, va_list) __asm__("vsscanf");
extern int __isoc99_vscanf(const char *, va_list), __isoc99_vfscanf(FILE *, const char *, va_list);
extern int __isoc99_vsscanf(const char *, const char *, va_list);

static int with_scan_list(struct notes *me, const char *text, const char *format, ...) {
    va_list list;
    va_start(list, format);
    NOTE(plain_vsscanf(text, format, list));
    va_end(list);
    va_start(list, format);
    int count = __isoc99_vsscanf(text, format, list);
    va_end(list);
    return count;
}

static int input_list(int which, const char *format, ...) {
    va_list list;
    va_start(list, format);
    int count = which == 0 ? plain_vscanf(format, list) : which == 1 ? plain_vfscanf(stdin, format, list)
              : which == 2 ? __isoc99_vscanf(format, list) : __isoc99_vfscanf(stdin, format, list);
    va_end(list);
    return count;
}

static int with_input_list(struct notes *me, const char *format, int number) {
    return input_list(number % 4, format, &number);
}
