/* Writes pieces of a page. */
#include "bench/report/html.h"

#include "bench/cli/data.h"
#include "core/base/text.h"

void sb_html_text(FILE *to, const char *text) {
    for (const char *c = text; *c != '\0'; c++) {
        switch (*c) {
        case '<': fputs("&lt;", to); break;
        case '>': fputs("&gt;", to); break;
        case '&': fputs("&amp;", to); break;
        case '"': fputs("&quot;", to); break;
        default: fputc(*c, to);
        }
    }
}

void sb_html_tagged(FILE *to, const char *before, const char *text, const char *after) {
    fputs(before, to);
    sb_html_text(to, text);
    fputs(after, to);
}

int sb_html_asset(sb_context *ctx, sb_arena *arena, const char *file, FILE *to) {
    const char *path;
    char *text;
    SB_TRY(sb_data_path(ctx, arena, file, &path));
    SB_TRY(sb_text_read(ctx, arena, path, &text));
    fputs(text, to);
    return SB_OK;
}
