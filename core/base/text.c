/* Makes texts in an arena: formatted, with words replaced, read from a file. */
#include "core/base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/rounding.h"

char *sb_asprintf(sb_arena *arena, const char *format, ...) {
    const int rounding = sb_rounding_nearest();
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    const int length = vsnprintf(NULL, 0, format, args);
    va_end(args);
    char *text = length < 0 ? NULL : sb_alloc(arena, (size_t)length + 1, 1);
    if (text != NULL) {
        vsnprintf(text, (size_t)length + 1, format, again);
    }
    va_end(again);
    sb_rounding_restore(rounding);
    return text;
}

char *sb_text_replace(sb_arena *arena, const char *text, const char *from, const char *to) {
    size_t count = 0;
    const char *at;
    for (at = text; (at = strstr(at, from)) != NULL; at += strlen(from)) {
        count++;
    }
    char *out = sb_alloc(arena, strlen(text) + count * strlen(to) + 1, 1), *end = out;
    if (out == NULL) {
        return NULL;
    }
    while ((at = strstr(text, from)) != NULL) {
        memcpy(end, text, (size_t)(at - text));
        end = stpcpy(end + (at - text), to);
        text = at + strlen(from);
    }
    strcpy(end, text);
    return out;
}

/* The size in bytes at which the reading of an endless device or pipe ends; memory for twice as much is needed. */
enum { TEXT_MAX = 1 << 30 };

/* Reads to the end of a file, to a NUL byte or to TEXT_MAX. Waits for a pipe by poll, which a signal ends and read does
 * not. Fails with SB_IO, which leaves errno, SB_NO_MEMORY and SB_INTERRUPTED. */
static int read_bytes(sb_context *ctx, sb_arena *arena, int file, char **text, size_t *size) {
    size_t room = 0;
    ssize_t count;
    *text = NULL;
    *size = 0;
    do {
        SB_TRY(sb_poll(ctx));
        if (*size + 1 >= room) {
            room = room == 0 ? 1 << 12 : 2 * room;
            char *grown = sb_alloc(arena, room, 1);
            if (grown == NULL) {
                return SB_NO_MEMORY;
            }
            *text = *size == 0 ? grown : memcpy(grown, *text, *size);
        }
        struct pollfd ready = {.fd = file, .events = POLLIN};
        errno = EAGAIN;
        count = poll(&ready, 1, 100) > 0 ? read(file, *text + *size, room - 1 - *size) : -1;
        if (count < 0 && errno != EAGAIN && errno != EINTR) {
            return SB_IO;
        }
        *size += count > 0 ? (size_t)count : 0;
    } while (count < 0 ||
             (count > 0 && memchr(*text + *size - count, '\0', (size_t)count) == NULL && *size < TEXT_MAX - 1));
    return SB_OK;
}

int sb_text_read(sb_context *ctx, sb_arena *arena, const char *path, char **out) {
    char *text;
    size_t size;
    const int file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    const int status = file < 0 ? SB_IO : read_bytes(ctx, arena, file, &text, &size);
    if (status == SB_IO) {
        sb_fail(ctx, SB_IO, "%s cannot be read: %s", path, strerror(errno));
    }
    if (file >= 0) {
        close(file);
    }
    SB_TRY(status);
    text[size] = '\0';
    if (strlen(text) < size) {
        int line = 1;
        for (const char *c = text; *c != '\0'; c++) {
            line += *c == '\n';
        }
        return sb_fail(ctx, SB_BAD_USAGE, "%s, line %d: there is a NUL byte, which no text has; is it in UTF-16?", path,
                       line);
    }
    if (size == TEXT_MAX - 1) {
        return sb_fail(ctx, SB_BAD_USAGE, "%s does not end within 1 GiB; texts must be shorter", path);
    }
    *out = text + (strncmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0);
    return SB_OK;
}

bool sb_text_number(const char *text, char **end, sb_scalar *x) {
    static const char digits[] = "0123456789";
    const char *c = text + (*text == '+' || *text == '-');
    size_t count = strspn(c, digits);
    c += count;
    if (*c == '.') {
        const size_t more = strspn(c + 1, digits);
        count += more;
        c += 1 + more;
    }
    if (*c == 'e' || *c == 'E') {
        const char *power = c + 1 + (c[1] == '+' || c[1] == '-');
        c = strspn(power, digits) > 0 ? power + strspn(power, digits) : c;
    }
    const int rounding = sb_rounding_nearest();
    *x = sb_strtod(text, end);
    sb_rounding_restore(rounding);
    return count > 0 && *end == c && isfinite(*x);
}

const char *sb_file_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

bool sb_ends_with(const char *text, const char *end) {
    const size_t a = strlen(text), b = strlen(end);
    return a >= b && strcmp(text + a - b, end) == 0;
}

bool sb_matches_any(const char *patterns, const char *text) {
    char pattern[256];
    bool found = false;
    for (const char *p = patterns; *p != '\0' && !found; p += *p == '|') {
        const size_t length = strcspn(p, "|");
        snprintf(pattern, sizeof pattern, "%.*s", (int)length, p);
        found = length < sizeof pattern && fnmatch(pattern, text, 0) == 0;
        p += length;
    }
    return found;
}

int sb_utf8_length(const char *text) {
    const unsigned char *c = (const unsigned char *)text;
    const int length = c[0] < 0x80 ? 1 : c[0] < 0xC2 ? 0 : c[0] < 0xE0 ? 2 : c[0] < 0xF0 ? 3 : c[0] < 0xF5 ? 4 : 0;
    for (int i = 1; i < length; i++) {
        if ((c[i] & 0xC0) != 0x80) {
            return 0;
        }
    }
    const bool outside = (c[0] == 0xE0 && c[1] < 0xA0) || (c[0] == 0xED && c[1] > 0x9F) ||
                         (c[0] == 0xF0 && c[1] < 0x90) || (c[0] == 0xF4 && c[1] > 0x8F);
    return outside ? 0 : length;
}

bool sb_utf8_valid(const char *text) {
    int length = 1;
    while (*text != '\0' && length > 0) {
        length = sb_utf8_length(text);
        text += length;
    }
    return length > 0;
}

const char *sb_variable_name(const char *const *names, bool velocity, int i, char own[SB_VARIABLE_SIZE]) {
    if (names == NULL) {
        snprintf(own, SB_VARIABLE_SIZE, "%c%d", velocity ? 'v' : 'q', i);
        return own;
    }
    const char *dot = strrchr(names[i], '.');
    const int stem = dot != NULL ? (int)(dot + 1 - names[i]) : 0;
    snprintf(own, SB_VARIABLE_SIZE, "%.*s%s%s", stem, names[i], velocity ? "v" : "", names[i] + stem);
    return own;
}
