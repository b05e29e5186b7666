/* Writes JSON with jansson. Bad UTF-8 and lack of memory have different statuses. */
#include <errno.h>
#include <string.h>

#include "core/base/text.h"
#include "core/output/json.h"

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
