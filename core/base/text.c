/* Texts in an arena: formatted, with words replaced, read from a file. */
#include "core/base/text.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

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
    for (const char *at = strstr(text, from); at != NULL; at = strstr(at + strlen(from), from)) {
        count++;
    }
    char *out = sb_alloc(arena, strlen(text) + count * strlen(to) + 1, 1), *end = out;
    if (out == NULL) {
        return NULL;
    }
    for (const char *at = strstr(text, from); at != NULL; at = strstr(text, from)) {
        memcpy(end, text, (size_t)(at - text));
        end = stpcpy(end + (at - text), to);
        text = at + strlen(from);
    }
    strcpy(end, text);
    return out;
}

int sb_text_read(sb_context *ctx, sb_arena *arena, const char *path, char **text) {
    FILE *file = fopen(path, "rb");
    struct stat info;
    if (file == NULL || fstat(fileno(file), &info) != 0) {
        const int why = errno;
        if (file != NULL) {
            fclose(file);
        }
        return sb_fail(ctx, SB_IO, "%s cannot be read: %s", path, strerror(why));
    }
    *text = sb_alloc(arena, (size_t)info.st_size + 1, 1);
    const bool whole = *text != NULL && fread(*text, 1, (size_t)info.st_size, file) == (size_t)info.st_size;
    fclose(file);
    if (*text == NULL) {
        return SB_NO_MEMORY;
    }
    return whole ? SB_OK : sb_fail(ctx, SB_IO, "%s cannot be read to its end", path);
}

bool sb_ends_with(const char *text, const char *end) {
    const size_t a = strlen(text), b = strlen(end);
    return a >= b && strcmp(text + a - b, end) == 0;
}
