/* Makes texts in an arena: formatted, with words replaced, read from a file. */
#pragma once

#include <stepbench/context.h>

/* Returns a formatted string in the arena; NULL when out of memory. */
char *sb_asprintf(sb_arena *arena, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Sets `text` to a formatted string; leaves the calling function with SB_NO_MEMORY when out of memory. */
#define SB_PRINT(arena, text, ...)                                                                                     \
    do {                                                                                                               \
        (text) = sb_asprintf((arena), __VA_ARGS__);                                                                    \
        if ((text) == NULL) {                                                                                          \
            return SB_NO_MEMORY;                                                                                       \
        }                                                                                                              \
    } while (0)

/* Returns a copy of `text` in which every `from` is replaced by `to`; NULL when out of memory. */
char *sb_text_replace(sb_arena *arena, const char *text, const char *from, const char *to);

/* Reads a whole text file into the arena, without a byte order mark of UTF-8. Fails with SB_IO, which names the file
 * and the reason, and with SB_BAD_USAGE for a NUL byte, which would end the string, and for 1 GiB or more. */
int sb_text_read(sb_context *ctx, sb_arena *arena, const char *path, char **text);

/* Reads a finite decimal number at the beginning of a text, and sets *end behind it. Returns false for anything else:
 * 0x10, nan, inf and 1e999. */
bool sb_text_number(const char *text, char **end, sb_scalar *x);

/* Returns the name of a file, which follows the last slash of its path. */
const char *sb_file_name(const char *path);

/* Returns whether the text matches one of the patterns, which are globs between bars: "dsp*|hoop". */
bool sb_matches_any(const char *patterns, const char *text);

/* Returns whether the text ends with `end`, such as ".csv". */
bool sb_ends_with(const char *text, const char *end);

/* Returns the length in bytes of the UTF-8 character (RFC 3629) at the beginning of a text; 0 when it is malformed,
 * overlong, a surrogate or beyond U+10FFFF. */
int sb_utf8_length(const char *text);

/* Returns whether the text is valid UTF-8. */
bool sb_utf8_valid(const char *text);

enum { SB_VARIABLE_SIZE = 128 };

/* Writes the name of coordinate i, or of its velocity, into `own` and returns it. `names` are those of a problem:
 * "theta" has the velocity "vtheta", and "crank.angle" the velocity "crank.vangle". NULL: "q0", "v0". */
const char *sb_variable_name(const char *const *names, bool velocity, int i, char own[SB_VARIABLE_SIZE]);
