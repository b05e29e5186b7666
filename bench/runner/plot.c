/* Draws figures with gnuplot: style.gp, then SCRIPT.gp from the directories of experiments, as SVG and as PNG or as an
 * animated GIF. */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "bench/data/data.h"
#include "bench/process/pool.h"
#include "bench/runner/experiment.h"
#include "bench/runner/plot.h"
#include "core/base/escape.h"
#include "core/output/sink.h"

int sb_plot_text(sb_arena *arena, const char *kind, const char *text, const char **out) {
    const bool tex = strcmp(kind, "tex") == 0;
    const char *shown = sb_escaped(arena, tex ? SB_LATEX : SB_TERMINAL, text);
    *out = shown != NULL ? sb_escaped(arena, SB_GNUPLOT, shown) : NULL;
    return *out != NULL ? SB_OK : SB_NO_MEMORY;
}

int sb_plot_path(sb_arena *arena, const char *path, const char **out) {
    char *whole;
    SB_PRINT(arena, whole, "%s%s", strchr("<|-+", path[0]) != NULL ? "./" : "", path);
    *out = sb_escaped(arena, SB_GNUPLOT, whole);
    return *out != NULL ? SB_OK : SB_NO_MEMORY;
}

/* Writes gnuplot's SVG file `drawn` to the stream `smaller` with svg.awk. Fails with SB_IO if `drawn` was not written
 * whole or awk fails; what `smaller` refuses sets its error indicator. */
static int shrink(sb_context *ctx, sb_arena *arena, FILE *drawn, FILE *smaller) {
    char from[32];
    const char *filter;
    SB_TRY(sb_data_find(ctx, arena, "experiments", "svg.awk", &filter));
    if (fflush(drawn) != 0 || ferror(drawn)) {
        return sb_fail(ctx, SB_IO, "a figure cannot be written: the disk of temporary files is full");
    }
    snprintf(from, sizeof from, "/dev/fd/%d", fileno(drawn));
    const int exited =
        sb_program_run(ctx, (char *[]){"env", "LC_ALL=C", "awk", "-f", (char *)filter, from, NULL}, stderr, smaller);
    SB_TRY(sb_poll(ctx));
    return exited == 0 || ferror(smaller)
               ? SB_OK
               : sb_fail(ctx, SB_IO, "awk could not make the file of gnuplot smaller: exit status %d", exited);
}

/* Copies gnuplot's messages to standard error. */
static void pass_on(FILE *messages) {
    char line[512];
    rewind(messages);
    while (fgets(line, sizeof line, messages) != NULL) {
        sb_write_line(stderr, "%.*s", (int)strcspn(line, "\n"), line);
    }
}

/* Fails if the script names a column that its table lacks: gnuplot leaves its points out with a warning. Other
 * warnings, as about ranges of a single point, are discarded. */
static int check_columns(sb_context *ctx, const char *script, FILE *messages) {
    char line[512];
    rewind(messages);
    while (fgets(line, sizeof line, messages) != NULL) {
        const char *missing = strstr(line, "no column with header");
        if (missing != NULL) {
            return sb_fail(ctx, SB_IO, "%s: a table has %.*s", script, (int)strcspn(missing, "\n"), missing);
        }
    }
    return SB_OK;
}

int sb_plot_stream(sb_context *ctx, const char *settings, const char *style, const char *script, FILE *to,
                   bool *drawn) {
    char *argv[] = {"gnuplot",      "-d", "-e", (char *)settings, (char *)(style != NULL ? style : script),
                    (char *)script, NULL};
    argv[5] = style != NULL ? argv[5] : NULL;
    FILE *messages = tmpfile();
    if (messages == NULL) {
        return sb_fail(ctx, SB_IO, "no temporary file for the messages of gnuplot: %s", strerror(errno));
    }
    const int exited = sb_program_run(ctx, argv, messages, to);
    int status = sb_poll(ctx);
    *drawn = exited != SB_NO_PROGRAM;
    if (status == SB_OK && exited == 0) {
        status = check_columns(ctx, script, messages);
    } else if (status == SB_OK && *drawn && (to == NULL || !ferror(to))) {
        pass_on(messages);
        status = sb_fail(ctx, SB_IO, "gnuplot could not draw %s: exit status %d", script, exited);
    }
    fclose(messages);
    return status;
}

/* Draws an SVG file and makes it smaller. */
static int draw_svg(sb_context *ctx, sb_arena *arena, const char *settings, const char *style, const char *script,
                    FILE *to, bool *drawn) {
    FILE *large = tmpfile();
    if (large == NULL) {
        return sb_fail(ctx, SB_IO, "no temporary file for a figure: %s", strerror(errno));
    }
    int status = sb_plot_stream(ctx, settings, style, script, large, drawn);
    status = status == SB_OK && *drawn ? shrink(ctx, arena, large, to) : status;
    fclose(large);
    return status;
}

int sb_plot_file(sb_context *ctx, sb_arena *arena, const char *settings, const char *style, const char *script,
                 const char *kind, const char *note, const sb_caption *caption, const char *target, bool *drawn) {
    const bool tex = strcmp(kind, "tex") == 0, floats = caption != NULL && tex;
    sb_outfile file;
    char *all;
    SB_PRINT(arena, all, "kind='%s'; %s", kind, settings);
    SB_TRY(sb_outfile_open(ctx, arena, target, &file));
    if (tex) {
        fputs("% \\usepackage{amssymb,graphicx,pict2e,xcolor}\n", file.stream);
    }
    if (floats) {
        sb_float_begin(file.stream, "fig", caption->wide, caption);
    }
    fflush(file.stream); /* gnuplot writes to its descriptor */
    const int status = strcmp(kind, "svg") == 0 ? draw_svg(ctx, arena, all, style, script, file.stream, drawn)
                                                : sb_plot_stream(ctx, all, style, script, file.stream, drawn);
    if (*drawn && note != NULL && strcmp(kind, "svg") == 0) {
        fprintf(file.stream, SB_PLOT_NOTE "%s" SB_PLOT_NOTE_END, note);
    }
    if (floats) {
        sb_float_end(file.stream, "fig", caption->wide, caption);
    }
    if (*drawn) {
        return sb_outfile_close(&file, status);
    }
    sb_outfile_abandon(&file);
    return status;
}

/* Sets *path to the script beside the study, or in the directories of experiments. */
static int find_script(sb_bench *bench, const char *file, const char **path) {
    const char *slash = bench->study != NULL ? strrchr(bench->study, '/') : NULL;
    SB_PRINT(&bench->arena, *path, "%.*s%s", slash != NULL ? (int)(slash + 1 - bench->study) : 0,
             bench->study != NULL ? bench->study : "", file);
    return bench->study != NULL && access(*path, R_OK) == 0
               ? SB_OK
               : sb_data_find(bench->ctx, &bench->arena, "experiments", file, path);
}

/* Draws NAME.KIND with SCRIPT.gp of an experiment. */
static int draw(sb_bench *bench, const char *script, const char *name, const char *more, const char *kind,
                const char *note) {
    if (bench->member != NULL) {
        return SB_OK;
    }
    const char *style, *file, *path, *target, *settings;
    const char *out;
    bool drawn = true;
    SB_TRY(sb_plot_path(&bench->arena, bench->out, &out));
    SB_PRINT(&bench->arena, file, "%s.gp", script);
    SB_TRY(sb_data_find(bench->ctx, &bench->arena, "experiments", "style.gp", &style));
    SB_TRY(find_script(bench, file, &path));
    SB_PRINT(&bench->arena, target, "%s/%s.%s", bench->out, name, kind);
    SB_PRINT(&bench->arena, settings, "out=%s; %s", out, more);
    SB_TRY(sb_plot_file(bench->ctx, &bench->arena, settings, style, path, kind, note, NULL, target, &drawn));
    if (!drawn && kind[0] != 'p') {
        sb_write_line(stderr, "stepbench: gnuplot is not installed; the figure %s is left out", name);
    }
    return SB_OK;
}

int sb_bench_plot_with(sb_bench *bench, const char *script, const char *name, const char *settings) {
    const char *note = NULL;
    bench->drew = true;
    if (settings[0] != '\0' || strcmp(script, name) != 0) {
        SB_PRINT(&bench->arena, note, "%s %s", script, settings);
    }
    SB_TRY(draw(bench, script, name, settings, "svg", note));
    return draw(bench, script, name, settings, "png", NULL);
}

int sb_bench_plot(sb_bench *bench, const char *script) { return sb_bench_plot_with(bench, script, script, ""); }

int sb_bench_animate(sb_bench *bench, const char *script) { return draw(bench, script, script, "", "gif", NULL); }

int sb_bench_draw(sb_bench *bench) {
    const char *const *file = bench->drew || bench->experiment->replot != NULL ? NULL : bench->experiment->files;
    for (; file != NULL && *file != NULL; file++) {
        const char *slash = strrchr(*file, '/'), *begin = slash != NULL ? slash + 1 : *file;
        const bool moves = sb_ends_with(begin, ".gif");
        if (moves || sb_ends_with(begin, ".svg")) {
            const char *name;
            SB_PRINT(&bench->arena, name, "%.*s", (int)(strrchr(begin, '.') - begin), begin);
            SB_TRY(moves ? sb_bench_animate(bench, name) : sb_bench_plot(bench, name));
        }
    }
    return SB_OK;
}
