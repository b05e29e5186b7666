/* Writes pieces of a page. */
#include "bench/report/html.h"

#include <stdarg.h>
#include <string.h>

#include "bench/data/data.h"
#include "core/base/escape.h"
#include "core/base/text.h"

void sb_html(FILE *to, const char *format, ...) {
    va_list args;
    va_start(args, format);
    for (const char *at; (at = strstr(format, "%s")) != NULL; format = at + 2) {
        fwrite(format, 1, (size_t)(at - format), to);
        sb_escape(to, SB_HTML, va_arg(args, const char *));
    }
    va_end(args);
    fputs(format, to);
}

int sb_html_page(sb_context *ctx, sb_arena *arena, const char *file, FILE *to,
                 int (*write)(void *arg, const char *part), void *arg) {
    static const char begin[] = "<!-- ", end[] = " -->";
    const char *path;
    char *page;
    SB_TRY(sb_data_path(ctx, arena, file, &path));
    SB_TRY(sb_text_read(ctx, arena, path, &page));
    for (char *at = strstr(page, begin), *stop; at != NULL; at = strstr(page, begin)) {
        fwrite(page, 1, (size_t)(at - page), to);
        stop = strstr(at, end);
        *stop = '\0';
        SB_TRY(write(arg, at + strlen(begin)));
        page = stop + strlen(end);
    }
    fputs(page, to);
    return SB_OK;
}

int sb_html_asset(sb_context *ctx, sb_arena *arena, const char *file, FILE *to) {
    const char *path;
    char *text;
    SB_TRY(sb_data_path(ctx, arena, file, &path));
    SB_TRY(sb_text_read(ctx, arena, path, &text));
    fputs(text, to);
    return SB_OK;
}
