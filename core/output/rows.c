/* Evaluates the options of every command that writes rows. */
#include <string.h>
#include <unistd.h>

#include "core/output/rows.h"

sb_format sb_rows_usual_format(const char *path) {
    static const struct {
        const char *ending;
        sb_format format;
    } endings[] = {{".json", SB_FORMAT_JSON}, {".md", SB_FORMAT_MD}, {".tex", SB_FORMAT_LATEX}};
    if (path == NULL) {
        return isatty(STDOUT_FILENO) ? SB_FORMAT_TABLE : SB_FORMAT_CSV;
    }
    const char *ending = strrchr(path, '.');
    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++) {
        if (ending != NULL && strcmp(ending, endings[i].ending) == 0) {
            return endings[i].format;
        }
    }
    return SB_FORMAT_CSV;
}

int sb_rows_check_ending(sb_context *ctx, const char *command, const char *path) {
    static const char *const others[] = {".png", ".svg", ".pdf", ".gif", ".jpg", ".eps", ".html", ".npy"};
    const char *ending = path != NULL ? strrchr(path, '.') : NULL;
    for (size_t i = 0; ending != NULL && i < sizeof others / sizeof *others; i++) {
        if (strcmp(ending, others[i]) == 0) {
            return sb_fail(ctx, SB_BAD_USAGE,
                           "%s writes rows, and %s would not be a %s file: end its name with .csv, .json, .md or .tex, "
                           "or give --format",
                           command, path, ending + 1);
        }
    }
    return SB_OK;
}

bool sb_rows_for_people(sb_format format) {
    return format == SB_FORMAT_TABLE || format == SB_FORMAT_MD || format == SB_FORMAT_LATEX;
}

int sb_rows_form(sb_context *ctx, sb_arena *arena, const sb_row_options *options, sb_format format, sb_sink *to,
                 sb_sink **out) {
    const sb_row_form form = {.columns = options->columns,
                              .pivot = options->pivot,
                              .digits = (int)options->digits,
                              .people = sb_rows_for_people(format),
                              .mark = format == SB_FORMAT_LATEX};
    return sb_sink_form(ctx, arena, &form, to, out);
}
