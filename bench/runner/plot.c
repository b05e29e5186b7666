/* Draws figures with gnuplot: style.gp, then SCRIPT.gp from the directories of experiments, as SVG and as PNG or as an
 * animated GIF. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "bench/cli/data.h"
#include "bench/process/pool.h"
#include "bench/runner/experiment.h"
#include "bench/runner/plot.h"

/* Returns the text as a gnuplot string in single quotes. */
static char *quoted(sb_arena *arena, const char *text) {
    char *out = sb_alloc(arena, 2 * strlen(text) + 3, 1);
    if (out == NULL) {
        return NULL;
    }
    char *to = out;
    *to++ = '\'';
    for (const char *from = text; *from != '\0'; from++) {
        if (*from == '\'') {
            *to++ = '\'';
        }
        *to++ = *from;
    }
    *to++ = '\'';
    *to = '\0';
    return out;
}

int sb_svg_shrink(sb_context *ctx, sb_arena *arena, const char *drawn, const char *smaller) {
    const char *filter;
    SB_TRY(sb_data_find(ctx, arena, "experiments", "svg.awk", &filter));
    const int status = sb_program_run((char *[]){"sh", "-c", "LC_ALL=C exec awk -f \"$0\" \"$1\" >\"$2\"",
                                                 (char *)filter, (char *)drawn, (char *)smaller, NULL},
                                      false);
    return status == 0
               ? SB_OK
               : sb_fail(ctx, SB_IO, "awk could not write %s from gnuplot's file: exit status %d", smaller, status);
}

/* Renames a drawn file to its target; an SVG file is made smaller before. */
static int finish(sb_bench *bench, const char *drawn, const char *target, const char *terminal) {
    if (strcmp(terminal, "svg") == 0) {
        const char *smaller = sb_bench_format(bench, "%s.smaller.tmp-%ld", target, (long)getpid());
        const int status = smaller != NULL ? sb_svg_shrink(bench->ctx, &bench->arena, drawn, smaller) : SB_NO_MEMORY;
        remove(status == SB_OK || smaller == NULL ? drawn : smaller);
        SB_TRY(status);
        drawn = smaller;
    }
    if (rename(drawn, target) != 0) {
        const int reason = errno;
        remove(drawn);
        return sb_fail(bench->ctx, SB_IO, "could not write %s: %s", target, strerror(reason));
    }
    return SB_OK;
}

static int draw(sb_bench *bench, const char *style, const char *script, const char *name, const char *more,
                const char *terminal) {
    if (bench->member != NULL) {
        return SB_OK;
    }
    const char *target = sb_bench_format(bench, "%s/%s.%s", bench->out, name, terminal);
    const char *drawn = sb_bench_format(bench, "%s/%s.%s.tmp-%ld", bench->out, name, terminal,
                                        (long)getpid()); /* a name that sb_outfile_sweep knows */
    const char *out = quoted(&bench->arena, bench->out);
    if (target == NULL || drawn == NULL || out == NULL) {
        return SB_NO_MEMORY;
    }
    const char *into = quoted(&bench->arena, drawn);
    const char *settings =
        into == NULL ? NULL : sb_bench_format(bench, "out=%s; kind='%s'; target=%s; %s", out, terminal, into, more);
    if (settings == NULL) {
        return SB_NO_MEMORY;
    }
    char *argv[] = {"gnuplot", "-e", (char *)settings, (char *)style, (char *)script, NULL};
    const int exited = sb_program_run(argv, false);
    if (exited == SB_NO_PROGRAM) {
        if (terminal[0] != 'p') {
            fprintf(stderr, "stepbench: gnuplot is not installed; the figure %s is left out\n", name);
        }
        return SB_OK;
    }
    const int status = exited == 0 ? finish(bench, drawn, target, terminal)
                                   : sb_fail(bench->ctx, SB_IO, "gnuplot could not draw %s.%s from %s: exit status %d",
                                             name, terminal, script, exited);
    if (status != SB_OK) {
        remove(drawn);
    }
    return status;
}

static int find_scripts(sb_bench *bench, const char *script, const char **style, const char **path) {
    const char *file = sb_bench_format(bench, "%s.gp", script);
    if (file == NULL) {
        return SB_NO_MEMORY;
    }
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
