/* Pieces of a page: text as HTML shows it, files of the data directory. */
#include "bench/report/html.h"

#include <errno.h>
#include <string.h>

#include "bench/cli/data.h"

void sb_html_text(FILE *to, const char *text) {
    for (const char *c = text; *c != '\0'; c++) {
        switch (*c) {
        case '<':
            fputs("&lt;", to);
            break;
        case '>':
            fputs("&gt;", to);
            break;
        case '&':
            fputs("&amp;", to);
            break;
        case '"':
            fputs("&quot;", to);
            break;
        default:
            fputc(*c, to);
        }
    }
}

int sb_html_asset(sb_context *ctx, sb_arena *arena, const char *file, FILE *to) {
    const char *path;
    SB_TRY(sb_data_path(ctx, arena, file, &path));
    FILE *from = fopen(path, "r");
    if (from == NULL) {
        return sb_fail(ctx, SB_IO, "could not read %s: %s", path, strerror(errno));
    }
    char block[4096];
    size_t count;
    while ((count = fread(block, 1, sizeof block, from)) > 0) {
        fwrite(block, 1, count, to);
    }
    fclose(from);
    return SB_OK;
}
