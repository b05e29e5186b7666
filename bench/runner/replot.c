/* Draws the figures of a results directory again, from the files there. */
#include <string.h>
#include <unistd.h>

#include "bench/runner/bench.h"
#include "bench/runner/plot.h"

/* Splits the note of an SVG file into the script and its settings. Without a note they are its name and nothing. */
static int read_note(sb_bench *bench, const char *path, const char *name, const char **script, const char **settings) {
    char *text, *note = NULL;
    SB_TRY(sb_text_read(bench->ctx, &bench->arena, path, &text));
    for (char *next = strstr(text, SB_PLOT_NOTE); next != NULL; next = strstr(next + 1, SB_PLOT_NOTE)) {
        note = next + strlen(SB_PLOT_NOTE);
    }
    *script = name;
    *settings = "";
    char *const end = note != NULL ? strstr(note, SB_PLOT_NOTE_END) : NULL;
    char *const blank = end != NULL ? strchr(note, ' ') : NULL;
    if (blank != NULL && blank <= end) {
        *end = *blank = '\0';
        *script = note;
        *settings = blank < end ? blank + 1 : "";
    }
    return SB_OK;
}

/* Draws the figure that is `file`, an SVG or a GIF file, relative to the results directory. */
static int redraw(const sb_bench_call *call, const char *file, int *figures) {
    const char *slash = strrchr(file, '/'), *begin = slash != NULL ? slash + 1 : file;
    sb_bench bench;
    char *out, *path, *name;
    const char *script, *settings;
    SB_PRINT(call->arena, path, "%s/%s", call->out, file);
    SB_PRINT(call->arena, out, "%s%s%.*s", call->out, slash != NULL ? "/" : "", slash != NULL ? (int)(slash - file) : 0,
             file);
    SB_PRINT(call->arena, name, "%.*s", (int)(strrchr(begin, '.') - begin), begin);
    if (access(path, R_OK) != 0) {
        return SB_OK;
    }
    ++*figures;
    SB_TRY(sb_bench_begin(call->ctx, "bench", out, NULL, &bench));
    int status = SB_OK;
    if (strcmp(strrchr(begin, '.'), ".gif") == 0) {
        status = sb_bench_animate(&bench, name);
    } else {
        status = read_note(&bench, path, name, &script, &settings);
        status = status == SB_OK ? sb_bench_plot_with(&bench, script, name, settings) : status;
    }
    sb_bench_finish(&bench);
    return status;
}

/* Draws the figures of an experiment that draws them itself. */
static int replot(const sb_bench_call *call, const sb_experiment *experiment, int *figures) {
    sb_bench bench;
    SB_TRY(sb_bench_begin(call->ctx, "bench", call->out, NULL, &bench));
    bench.experiment = experiment;
    bench.study = call->study != NULL ? call->study->file : NULL;
    const int status = experiment->replot(&bench, figures);
    sb_bench_finish(&bench);
    return status;
}

int sb_bench_replot(const sb_bench_call *call, int *figures) {
    *figures = 0;
    for (int i = 0; i < call->count; i++) {
        const sb_experiment *experiment = call->list[i].experiment;
        if (experiment->replot != NULL) {
            SB_TRY(replot(call, experiment, figures));
            continue;
        }
        for (const char *const *file = experiment->files; *file != NULL; file++) {
            const char *dot = strrchr(*file, '.');
            if (dot != NULL && (strcmp(dot, ".svg") == 0 || strcmp(dot, ".gif") == 0)) {
                SB_TRY(redraw(call, *file, figures));
            }
        }
    }
    return SB_OK;
}
