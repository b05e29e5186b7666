/* Writes JSON with jansson. Bad UTF-8 and lack of memory have different statuses. */
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

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

/* Returns whether a text has control characters of the range 0x80 to 0x9f, which jansson writes as they are. */
static bool has_controls(const char *text) {
    const char *at = strchr(text, 0xC2);
    while (at != NULL && (unsigned char)at[1] >= 0xA0) {
        at = strchr(at + 1, 0xC2);
    }
    return at != NULL;
}

int sb_json_write_text(sb_context *ctx, FILE *to, const char *text) {
    if (!sb_utf8_valid(text)) {
        return sb_fail(ctx, SB_IO, "the text \"%.200s\" is not valid UTF-8 and cannot be written as JSON", text);
    }
    json_t *string = json_string(text);
    const int status = sb_json_write(ctx, to, string, JSON_ENCODE_ANY | (has_controls(text) ? JSON_ENSURE_ASCII : 0));
    json_decref(string);
    return status;
}

bool sb_json_is_foreign(const char *path) {
    struct stat info;
    if (stat(path, &info) != 0) {
        return false;
    }
    json_t *root = S_ISREG(info.st_mode) ? json_load_file(path, 0, NULL) : NULL;
    const bool own = json_is_string(json_object_get(root, "stepbench"));
    json_decref(root);
    return !own;
}
