/* Draws figures with gnuplot: style.gp, then SCRIPT.gp from the directories of experiments, as SVG and as PNG or as an
 * animated GIF. */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "bench/cli/data.h"
#include "bench/process/pool.h"
#include "bench/runner/experiment.h"
#include "bench/runner/plot.h"
#include "core/output/sink.h"

int sb_svg_shrink(sb_context *ctx, sb_arena *arena, FILE *drawn, FILE *smaller) {
    char from[32];
    const char *filter;
    SB_TRY(sb_data_find(ctx, arena, "experiments", "svg.awk", &filter));
    if (fflush(drawn) != 0 || ferror(drawn)) {
        return sb_fail(ctx, SB_IO, "a figure cannot be written: the disk of temporary files is full");
    }
    snprintf(from, sizeof from, "/dev/fd/%d", fileno(drawn));
    const int exited =
        sb_program_run((char *[]){"env", "LC_ALL=C", "awk", "-f", (char *)filter, from, NULL}, false, smaller);
    return exited == 0 || ferror(smaller)
               ? SB_OK
               : sb_fail(ctx, SB_IO, "awk could not make the file of gnuplot smaller: exit status %d", exited);
}

/* Runs gnuplot, whose picture goes to `to`. *drawn is false if gnuplot is not installed. */
static int run_gnuplot(sb_bench *bench, const char *settings, const char *style, const char *script, FILE *to,
                       bool *drawn) {
    char *argv[] = {"gnuplot", "-e", (char *)settings, (char *)style, (char *)script, NULL};
    const int exited = sb_program_run(argv, false, to);
    *drawn = exited != SB_NO_PROGRAM;
    return exited == 0 || ferror(to) || !*drawn
               ? SB_OK
               : sb_fail(bench->ctx, SB_IO, "gnuplot could not draw %s: exit status %d", script, exited);
}

/* Draws an SVG file, which is made smaller on its way. */
static int draw_svg(sb_bench *bench, const char *settings, const char *style, const char *script, FILE *to,
                    bool *drawn) {
    FILE *large = tmpfile();
    if (large == NULL) {
        return sb_fail(bench->ctx, SB_IO, "no temporary file for a figure: %s", strerror(errno));
    }
    int status = run_gnuplot(bench, settings, style, script, large, drawn);
    status = status == SB_OK && *drawn ? sb_svg_shrink(bench->ctx, &bench->arena, large, to) : status;
    fclose(large);
    return status;
}

/* Draws a file that appears whole or not at all. */
static int draw(sb_bench *bench, const char *style, const char *script, const char *name, const char *more,
                const char *terminal) {
    if (bench->member != NULL) {
        return SB_OK;
    }
    const char *target, *settings, *out = sb_text_replace(&bench->arena, bench->out, "'", "''"); /* for gnuplot */
    sb_outfile file;
    bool drawn = true;
    SB_PRINT(&bench->arena, target, "%s/%s.%s", bench->out, name, terminal);
    SB_TRY(out != NULL ? SB_OK : SB_NO_MEMORY);
    SB_PRINT(&bench->arena, settings, "out='%s'; kind='%s'; %s", out, terminal, more);
    SB_TRY(sb_outfile_open(bench->ctx, &bench->arena, target, &file));
    const int status =
        (strcmp(terminal, "svg") == 0 ? draw_svg : run_gnuplot)(bench, settings, style, script, file.stream, &drawn);
    if (drawn) {
        return sb_outfile_close(&file, status);
    }
    sb_outfile_abandon(&file);
    if (terminal[0] != 'p') {
        fprintf(stderr, "stepbench: gnuplot is not installed; the figure %s is left out\n", name);
    }
    return status;
}

static int find_scripts(sb_bench *bench, const char *script, const char **style, const char **path) {
    const char *file;
    SB_PRINT(&bench->arena, file, "%s.gp", script);
    SB_TRY(sb_data_find(bench->ctx, &bench->arena, "experiments", "style.gp", style));
    return sb_data_find(bench->ctx, &bench->arena, "experiments", file, path);
}

int sb_bench_plot_with(sb_bench *bench, const char *script, const char *name, const char *settings) {
    const char *style, *path;
    SB_TRY(find_scripts(bench, script, &style, &path));
    SB_TRY(draw(bench, style, path, name, settings, "svg"));
    return draw(bench, style, path, name, settings, "png");
}

int sb_bench_plot(sb_bench *bench, const char *script) { return sb_bench_plot_with(bench, script, script, ""); }

int sb_bench_animate(sb_bench *bench, const char *script) {
    const char *style, *path;
    SB_TRY(find_scripts(bench, script, &style, &path));
    return draw(bench, style, path, script, "", "gif");
}
