/* Writes JSON with jansson. Bad UTF-8 and lack of memory have different statuses. */
#include <errno.h>
#include <string.h>

#include "core/output/json.h"

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

int sb_json_write(sb_context *ctx, FILE *to, const json_t *value, size_t flags) {
    if (value != NULL && json_dumpf(value, to, flags) == 0) {
        return SB_OK;
    }
    if (ferror(to)) {
        return sb_fail(ctx, SB_IO, "JSON cannot be written: %s", strerror(errno != 0 ? errno : EIO));
    }
    return sb_fail(ctx, SB_NO_MEMORY, "out of memory while writing JSON");
}

int sb_json_write_text(sb_context *ctx, FILE *to, const char *text) {
    if (!sb_utf8_valid(text)) {
        return sb_fail(ctx, SB_IO, "the text \"%.200s\" is not valid UTF-8 and cannot be written as JSON", text);
    }
    json_t *string = json_string(text);
    const int status = sb_json_write(ctx, to, string, JSON_ENCODE_ANY);
    json_decref(string);
    return status;
}
