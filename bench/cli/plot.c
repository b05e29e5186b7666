/* Draws the figure of a command's rows with gnuplot, and writes the script and data of it. */
#include "bench/cli/plot.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "analysis/analysis.h"
#include "bench/data/data.h"
#include "bench/process/pool.h"
#include "bench/runner/plot.h"
#include "core/base/escape.h"
#include "core/base/text.h"
#include "core/output/sink.h"

enum { PAIRS = 64 };              /* a reader cannot distinguish more curves */
static const double COLUMN = 8.9; /* cm: the widest column of the usual classes with two, that of IEEEtran */

typedef struct plot_sink {
    sb_sink sink;
    cli *me;
    const char *const *comments;
    sb_sink *rows, *data; /* the rows of the command; the same in the file of data */
    const char *file;     /* of the data */
    bool temporary;       /* the file of data is removed at the end */
    int ncolumns;
    const sb_column *columns;
    bool *positive;       /* of each column: has a number above zero */
    bool *other;          /* has any other value */
    int problem, stepper; /* their columns, -1: none */
    int pairs;
    const char *name[PAIRS][2]; /* problem and stepper of each pair */
    const char *key[PAIRS][2];  /* the same in the data file, for gnuplot's strcol: without commas, or a number */
    int number[PAIRS][2];       /* of the problem and of the stepper, among those that differ, from 1 */
    int count[2];               /* of different problems and steppers */
    sb_cell *cells;             /* a row of that */
} plot_sink;

/* ---- Checks. ---- */

static int no_figure(cli *me) {
    char *names = "run";
    for (int i = 0; i < me->registry->count[SB_KIND_ANALYSIS]; i++) {
        const sb_analysis *analysis = (const sb_analysis *)me->registry->entries[SB_KIND_ANALYSIS][i];
        if (analysis->plot != NULL) {
            SB_PRINT(me->arena, names, "%s, %s", names, analysis->entry.name);
        }
    }
    return sb_fail(me->ctx, SB_BAD_USAGE, "%s has no figure; these have one: %s", me->command.entry->name, names);
}

/* Returns the ending of the file of a figure, without the dot; NULL if that format is not supported. */
static const char *kind_of(const char *file) {
    static const char *const kinds[] = {"svg", "pdf", "png", "tex"};
    const char *dot = strrchr(file, '.');
    for (size_t i = 0; dot != NULL && i < sizeof kinds / sizeof *kinds; i++) {
        if (strcmp(dot + 1, kinds[i]) == 0) {
            return kinds[i];
        }
    }
    return NULL;
}

static bool shown(const cli *me) { return strcmp(me->shared.plot, CLI_PLOT_SHOWN) == 0; }

int cli_plot_check(cli *me) {
    const char *script = me->shared.plot_script, *plot = me->shared.plot;
    const size_t length = strlen(script);
    if (me->command.plot == NULL) {
        return no_figure(me);
    }
    if (plot[0] != '\0' && !shown(me) && kind_of(plot) == NULL) {
        return sb_fail(me->ctx, SB_BAD_USAGE,
                       "--plot %s: the name of the file has to end with .svg, .pdf, .png or .tex", plot);
    }
    if (script[0] != '\0' && (length < 4 || strcmp(script + length - 3, ".gp") != 0)) {
        return sb_fail(me->ctx, SB_BAD_USAGE, "--plot-script %s: the name of the file has to end with .gp", script);
    }
    if (script[0] != '\0' && me->output != NULL && strlen(me->output) == length + 1 &&
        strncmp(me->output, script, length - 3) == 0 && sb_ends_with(me->output, ".csv")) {
        return sb_fail(me->ctx, SB_BAD_USAGE, "--plot-script %s writes its data to %s, which -o names, too", script,
                       me->output);
    }
    if (me->shared.plot_width > 0.0 && !sb_ends_with(plot, ".pdf") && !sb_ends_with(plot, ".tex")) {
        return sb_fail(me->ctx, SB_BAD_USAGE, "--plot-width is for --plot FILE.pdf and FILE.tex");
    }
    return plot[0] == '\0' ? SB_OK : sb_program_find(me->ctx, "gnuplot", "--plot");
}

/* ---- Rows. ---- */

/* Sets the file of the data: beside the script, or a temporary one. */
static int choose_file(plot_sink *me) {
    const char *script = me->me->shared.plot_script;
    char *file;
    if (script[0] != '\0') {
        SB_PRINT(me->me->arena, file, "%.*s.csv", (int)strlen(script) - 3, script);
        me->file = file;
        return SB_OK;
    }
    SB_PRINT(me->me->arena, file, "%s/stepbench-plot-XXXXXX", sb_temporary_directory());
    const int descriptor = mkstemp(file);
    if (descriptor < 0) {
        return sb_fail(me->me->ctx, SB_IO, "no temporary file for the data of a figure: %s", strerror(errno));
    }
    close(descriptor);
    me->file = file;
    me->temporary = true;
    return SB_OK;
}

static void remove_temporary(plot_sink *me) {
    if (me->temporary) {
        unlink(me->file);
        me->temporary = false;
    }
}

static int plot_begin(sb_sink *sink, int ncolumns, const sb_column *columns) {
    plot_sink *me = (plot_sink *)sink;
    me->ncolumns = ncolumns;
    me->columns = columns;
    me->problem = me->stepper = -1;
    SB_NEW(me->me->arena, me->positive, ncolumns);
    SB_NEW(me->me->arena, me->other, ncolumns);
    SB_NEW(me->me->arena, me->cells, ncolumns);
    for (int j = 0; j < ncolumns; j++) {
        me->problem = strcmp(columns[j].name, "problem") == 0 ? j : me->problem;
        me->stepper = strcmp(columns[j].name, "stepper") == 0 ? j : me->stepper;
    }
    SB_TRY(me->rows != NULL ? me->rows->begin(me->rows, ncolumns, columns) : SB_OK);
    return me->data->begin(me->data, ncolumns, columns);
}

static const char *text_at(const sb_cell *cells, int column) {
    return column >= 0 && cells[column].type == SB_CELL_TEXT ? cells[column].text : "";
}

/* Sets *at to the number of the pair of a row, and records a new pair. */
static int note_pair(plot_sink *me, const sb_cell *cells, int *at) {
    const char *problem = text_at(cells, me->problem), *stepper = text_at(cells, me->stepper);
    for (int k = me->pairs - 1; k >= 0; k--) {
        if (strcmp(me->name[k][0], problem) == 0 && strcmp(me->name[k][1], stepper) == 0) {
            *at = k;
            return SB_OK;
        }
    }
    *at = me->pairs;
    if (me->pairs == PAIRS) {
        return sb_fail(me->me->ctx, SB_BAD_USAGE, "a figure shows at most %d pairs of a problem and a stepper", PAIRS);
    }
    const char **name = me->name[me->pairs], **key = me->key[me->pairs++];
    name[0] = sb_strdup(me->me->arena, problem);
    name[1] = sb_strdup(me->me->arena, stepper);
    for (int i = 0; i < 2; i++) {
        static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./-+*=:,;() ";
        char *text = name[i] != NULL ? sb_text_replace(me->me->arena, name[i], ",", ";") : NULL;
        SB_TRY(text != NULL ? SB_OK : SB_NO_MEMORY);
        if (text[strspn(text, plain)] != '\0') {
            SB_PRINT(me->me->arena, text, "%d", me->pairs);
        }
        key[i] = text;
        for (int k = 0; k < *at; k++) {
            me->number[*at][i] = strcmp(me->name[k][i], name[i]) == 0 ? me->number[k][i] : me->number[*at][i];
        }
        me->number[*at][i] = me->number[*at][i] > 0 ? me->number[*at][i] : ++me->count[i];
    }
    return SB_OK;
}

/* Writes a row for gnuplot. Its function strcol ends at a comma even within quotes, so the names have none; a name with
 * any character that is not plain is written as the number of its pair. */
static int write_data(plot_sink *me, int pair, const sb_cell *cells) {
    memcpy(me->cells, cells, (size_t)me->ncolumns * sizeof *cells);
    for (int i = 0; i < 2; i++) {
        const int j = i == 0 ? me->problem : me->stepper;
        if (j >= 0) {
            me->cells[j] = sb_text(me->key[pair][i]);
        }
    }
    return me->data->row(me->data, me->cells);
}

static int plot_row(sb_sink *sink, const sb_cell *cells) {
    plot_sink *me = (plot_sink *)sink;
    bool numbers = false;
    int pair;
    for (int j = 0; j < me->ncolumns; j++) {
        const bool number = cells[j].type == SB_CELL_REAL;
        me->positive[j] = me->positive[j] || (number && cells[j].real > 0.0 && isfinite(cells[j].real));
        me->other[j] = me->other[j] || cells[j].type != SB_CELL_EMPTY;
        numbers = numbers || number;
    }
    SB_TRY(me->rows != NULL ? me->rows->row(me->rows, cells) : SB_OK);
    if (!numbers) {
        return me->data->row(me->data, cells);
    }
    SB_TRY(note_pair(me, cells, &pair));
    return write_data(me, pair, cells);
}

/* ---- Drawing. ---- */

/* Sets *out to the names of the columns that have a value, each surrounded by spaces. */
static int list_columns(const plot_sink *me, const bool *has, char **out) {
    *out = " ";
    for (int j = 0; j < me->ncolumns; j++) {
        if (has[j]) {
            SB_PRINT(me->me->arena, *out, "%s%s ", *out, me->columns[j].name);
        }
    }
    return SB_OK;
}

/* Appends a line NAME=EXPRESSION to statements of gnuplot. */
static int append(sb_arena *arena, char **statements, const char *name, const char *expression) {
    SB_TRY(expression != NULL ? SB_OK : SB_NO_MEMORY);
    SB_PRINT(arena, *statements, "%s\n%s=%s", *statements, name, expression);
    return SB_OK;
}

/* Appends axis_q0='crank.x' for each coordinate and velocity that a single problem names: as the second word of the
 * description of its column. */
static int append_axes(const plot_sink *me, const char *kind, char **out) {
    for (int j = 0; j < me->ncolumns && me->count[0] == 1; j++) {
        const sb_column *column = &me->columns[j];
        const char *text, *own = strchr(column->doc, ' ');
        char variable[24];
        if (own != NULL && strchr("qv", column->name[0]) != NULL && isdigit((unsigned char)column->name[1])) {
            SB_TRY(sb_plot_text(me->me->arena, kind, own + 1, &text));
            snprintf(variable, sizeof variable, "axis_%s", column->name);
            SB_TRY(append(me->me->arena, out, variable, text));
        }
    }
    return SB_OK;
}

/* Appends the variables of pair k. */
static int append_pair(const plot_sink *me, const char *kind, int k, char **out) {
    static const char *const format[] = {"problem[%d]", "stepper[%d]", "name[%d]"},
                             *const own[] = {"title_of[%d]", "label_of[%d]"},
                             *const number[] = {"panel[%d]", "curve[%d]"};
    sb_arena *arena = me->me->arena;
    const bool one_problem = me->count[0] == 1 && me->stepper >= 0, one_stepper = me->count[1] == 1;
    const char *problem = me->name[k][0], *stepper = me->name[k][1], *text[3];
    char *name;
    SB_PRINT(arena, name, "%s%s%s", one_problem ? "" : problem, one_problem || one_stepper ? "" : ", ",
             one_stepper && !one_problem ? "" : stepper);
    text[0] = sb_escaped(arena, SB_GNUPLOT, me->key[k][0]);
    text[1] = sb_escaped(arena, SB_GNUPLOT, me->key[k][1]);
    SB_TRY(sb_plot_text(arena, kind, name, &text[2]));
    for (int i = 0; i < 3; i++) {
        char variable[24];
        snprintf(variable, sizeof variable, format[i], k + 1);
        SB_TRY(append(arena, out, variable, text[i]));
    }
    for (int i = 0; i < 2; i++) {
        const int at = me->number[k][i];
        char variable[24], value[16];
        const char *shown;
        SB_TRY(sb_plot_text(arena, kind, me->name[k][i], &shown));
        snprintf(variable, sizeof variable, own[i], at);
        SB_TRY(append(arena, out, variable, shown));
        snprintf(variable, sizeof variable, number[i], k + 1);
        snprintf(value, sizeof value, "%d", at);
        SB_TRY(append(arena, out, variable, value));
    }
    return SB_OK;
}

/* Sets *out to the gnuplot statements that define the variables of plot.h, one per line. */
static int write_settings(const plot_sink *me, const char *kind, char **out) {
    sb_arena *arena = me->me->arena;
    char *columns, *positive;
    const char *data;
    SB_TRY(sb_plot_path(arena, me->file, &data));
    SB_TRY(list_columns(me, me->other, &columns));
    SB_TRY(list_columns(me, me->positive, &positive));
    SB_PRINT(arena, *out,
             "kind='%s'\npairs=%d\narray problem[%d]\narray stepper[%d]\narray name[%d]\n"
             "array title_of[%d]\narray label_of[%d]\narray panel[%d]\narray curve[%d]",
             kind, me->pairs, PAIRS, PAIRS, PAIRS, PAIRS, PAIRS, PAIRS, PAIRS);
    if (me->me->shared.plot_width > 0.0) {
        SB_PRINT(arena, *out, "%s\nwide=%g", *out, (double)me->me->shared.plot_width);
    }
    SB_TRY(append(arena, out, "data", data));
    SB_TRY(append(arena, out, "columns", sb_escaped(arena, SB_GNUPLOT, columns)));
    SB_TRY(append(arena, out, "positive", sb_escaped(arena, SB_GNUPLOT, positive)));
    for (int k = 0; k < me->pairs; k++) {
        SB_TRY(append_pair(me, kind, k, out));
    }
    return append_axes(me, kind, out);
}

/* Writes a self-contained script that draws the same figure. */
static int write_script(const plot_sink *me, const char *settings, const char *style, const char *script) {
    cli *const call = me->me;
    const char *target = call->shared.plot, *name = sb_escaped(call->arena, SB_SHELL, call->shared.plot_script);
    const bool file = target[0] != '\0' && !shown(call);
    char *texts[2];
    const char *output;
    sb_outfile to;
    SB_TRY(sb_plot_path(call->arena, target, &output));
    SB_TRY(name != NULL ? SB_OK : SB_NO_MEMORY);
    SB_TRY(sb_text_read(call->ctx, call->arena, style, &texts[0]));
    SB_TRY(sb_text_read(call->ctx, call->arena, script, &texts[1]));
    SB_TRY(sb_outfile_open(call->ctx, call->arena, call->shared.plot_script, &to));
    sb_write_line(to.stream, "# Run by: gnuplot %s%s", file ? "" : "-p ", name);
    fprintf(to.stream, "%s\n%s\n", settings, texts[0]);
    if (file) {
        fprintf(to.stream, "set output %s\n", output);
    }
    fprintf(to.stream, "%s\n", texts[1]);
    return sb_outfile_close(&to, SB_OK);
}

/* Returns the kind of the figure on the screen: a window if a display is available, otherwise text. */
static const char *screen(void) {
    const char *display = getenv("DISPLAY"), *wayland = getenv("WAYLAND_DISPLAY");
    return (display != NULL && display[0] != '\0') || (wayland != NULL && wayland[0] != '\0') ? "screen" : "text";
}

/* Draws in a window, or as text in the size of the terminal. */
static int draw_on_screen(const plot_sink *me, const char *settings, const char *style, const char *script) {
    struct winsize size = {.ws_row = 0, .ws_col = 0};
    bool drawn;
    char *all;
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col < 40 || size.ws_row < 12) {
        size.ws_col = 80;
        size.ws_row = 24;
    }
    SB_PRINT(me->me->arena, all, "kind='%s'; width=%d; height=%d; %s", screen(), size.ws_col - 1, size.ws_row - 1,
             settings);
    return sb_plot_stream(me->me->ctx, all, style, script, NULL, &drawn);
}

static int draw(plot_sink *me) {
    cli *const call = me->me;
    const char *style, *script, *target = call->shared.plot;
    const char *kind = target[0] == '\0' || shown(call) ? "screen" : kind_of(target), *line;
    const double width = (double)call->shared.plot_width;
    char *file, *settings;
    bool drawn;
    SB_PRINT(call->arena, file, "%s.gp", call->command.plot);
    SB_TRY(sb_data_find(call->ctx, call->arena, "experiments", "style.gp", &style));
    SB_TRY(sb_data_find(call->ctx, call->arena, "analysis", file, &script));
    SB_TRY(write_settings(me, kind, &settings));
    SB_TRY(call->shared.plot_script[0] != '\0' ? write_script(me, settings, style, script) : SB_OK);
    if (target[0] == '\0') {
        return SB_OK;
    }
    line = sb_text_replace(call->arena, strchr(settings, '\n') + 1, "\n", "; "); /* without the kind */
    SB_TRY(line != NULL ? SB_OK : SB_NO_MEMORY);
    const sb_caption caption = {call->shared.caption, target, !(width > 0.0 && width <= COLUMN)};
    return shown(call) ? draw_on_screen(me, line, style, script)
                       : sb_plot_file(call->ctx, call->arena, line, style, script, kind, NULL,
                                      caption.text[0] != '\0' ? &caption : NULL, target, &drawn);
}

static int plot_end(sb_sink *sink) {
    plot_sink *me = (plot_sink *)sink;
    int status = me->rows != NULL ? me->rows->end(me->rows) : SB_OK;
    if (status != SB_OK) {
        me->data->abandon(me->data);
    }
    status = status == SB_OK ? me->data->end(me->data) : status;
    status = status == SB_OK && me->pairs > 0 ? draw(me) : status;
    remove_temporary(me);
    return status;
}

static void plot_abandon(sb_sink *sink) {
    plot_sink *me = (plot_sink *)sink;
    if (me->rows != NULL) {
        me->rows->abandon(me->rows);
    }
    me->data->abandon(me->data);
    remove_temporary(me);
}

int cli_plot_sink(cli *me, const char *const *comments, sb_sink *rows, sb_sink **out) {
    plot_sink *plot;
    SB_NEW(me->arena, plot, 1);
    *plot = (plot_sink){
        .sink = {plot_begin, plot_row, plot_end, plot_abandon}, .me = me, .comments = comments, .rows = rows};
    SB_TRY(choose_file(plot));
    const int status = sb_sink_open(me->ctx, me->arena, SB_FORMAT_CSV, plot->file, comments, &plot->data);
    if (status != SB_OK) {
        remove_temporary(plot);
        return status;
    }
    *out = &plot->sink;
    return SB_OK;
}
