/* Writes the numbers of `stepbench compare`: one row per number, a column per stepper, and in LaTeX. */
#include "bench/cli/commands/compare.h"

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <string.h>

#include "analysis/row.h"
#include "bench/card/pareto.h"
#include "bench/cli/label.h"
#include "bench/runner/experiment_tools.h"
#include "core/base/escape.h"
#include "core/output/sink.h"

/* Computes the numbers of an evaluation, and the number of its points on the front. */
static void measure_one(const comparison *c, const sb_evaluation *e, sb_measure list[SB_MEASURES], int *count) {
    sb_measures_of(e, list, count);
    list[(*count)++] = (sb_measure){"points on the front", sb_pareto_count(&c->work, c->front, e->problem, e->stepper),
                                    (double)NAN, "", ""};
}

/* The distribution of a number over the members. */
typedef struct spread {
    double first, third, failed; /* quartiles; the share of the members without the number */
} spread;

/* Replaces the value of number k by its median over the members; its uncertainty is half the distance of the
 * quartiles. */
static int take_median(const comparison *c, int problem, int stepper, int k, sb_measure *m, spread *out) {
    double *x;
    size_t n = 0;
    SB_SCRATCH(scratch, c->me->ctx);
    SB_NEW(&scratch, x, c->members);
    for (int i = 0; i < c->members; i++) {
        sb_measure list[SB_MEASURES];
        int count;
        measure_one(c, member_at(c, problem, i, stepper), list, &count);
        x[n] = list[k].value;
        n += isnan(x[n]) ? 0 : 1;
    }
    gsl_sort(x, 1, n);
    m->value = n > 0 ? gsl_stats_quantile_from_sorted_data(x, 1, n, 0.5) : (double)NAN;
    out->first = n > 0 ? gsl_stats_quantile_from_sorted_data(x, 1, n, 0.25) : (double)NAN;
    out->third = n > 0 ? gsl_stats_quantile_from_sorted_data(x, 1, n, 0.75) : (double)NAN;
    out->failed = 1.0 - (double)n / c->members;
    m->uncertainty = 0.5 * (out->third - out->first);
    m->note = n > 0 ? "" : m->note;
    return SB_OK;
}

/* Computes the numbers of a stepper on a problem: of the ensemble, with their spreads, or of the problem itself. */
static int measure(const comparison *c, int problem, int stepper, sb_measure list[SB_MEASURES],
                   spread spreads[SB_MEASURES], int *count) {
    measure_one(c, at(c, problem, stepper), list, count);
    for (int k = 0; k < *count && c->me->shared.ensemble.members > 0; k++) {
        SB_TRY(take_median(c, problem, stepper, k, &list[k], &spreads[k]));
    }
    return SB_OK;
}

/* ---- One row per number. ---- */

static const sb_column long_columns[] = {{"family", SB_COL_KEY, "", "what the problem demands"},
                                         {"problem", SB_COL_KEY, "", "the problem"},
                                         {"stepper", SB_COL_KEY, "", "the stepper"},
                                         {"measure", SB_COL_KEY, "", "what was measured"},
                                         {"value", SB_COL_EXACT, "", "the number"},
                                         {"uncertainty", SB_COL_ERROR, "",
                                          "standard error, noise or round-off; of a median half the distance of the "
                                          "quartiles"},
                                         {"unit", SB_COL_INFO, "", "of the number"},
                                         {"note", SB_COL_INFO, "", "a remark on the number, or why there is none"},
                                         {"value_q1", SB_COL_EXACT, "", "first quartile of the ensemble"},
                                         {"value_q3", SB_COL_EXACT, "", "third quartile of the ensemble"},
                                         {"failed", SB_COL_EXACT, "", "share of the members without the number"}};
enum { LONG_COLUMNS = sizeof long_columns / sizeof *long_columns, ENSEMBLE_COLUMNS = 3 };

static int write_long_rows(const comparison *c, int problem, int stepper, sb_sink *out) {
    const sb_evaluation *e = at(c, problem, stepper);
    sb_measure list[SB_MEASURES] = {{"takes it", 0.0, (double)NAN, "", e->refusal}};
    spread spreads[SB_MEASURES] = {{(double)NAN, (double)NAN, 1.0}};
    int count = 1;
    SB_TRY(e->refusal == NULL ? measure(c, problem, stepper, list, spreads, &count) : SB_OK);
    for (int k = 0; k < count; k++) {
        const sb_measure *m = &list[k];
        SB_TRY(SB_ROW(out, sb_text(e->family), sb_text(c->name[problem]), sb_text(e->stepper), sb_text(m->name),
                      e->refusal != NULL ? sb_int(0) : sb_known(m->value), sb_known(m->uncertainty), sb_text(m->unit),
                      sb_text(m->note), sb_known(spreads[k].first), sb_known(spreads[k].third),
                      sb_real(spreads[k].failed)));
    }
    return SB_OK;
}

int cli_compare_long(const comparison *c, sb_sink *out) {
    SB_TRY(out->begin(out, LONG_COLUMNS - (c->me->shared.ensemble.members > 0 ? 0 : ENSEMBLE_COLUMNS), long_columns));
    for (int p = 0; p < c->problems; p++) {
        for (int s = 0; s < c->steppers; s++) {
            SB_TRY(write_long_rows(c, c->order[p], s, out));
        }
    }
    return out->end(out);
}

/* ---- One row per problem and number, a column per stepper. ---- */

enum { KEYS = 3, CELL_SIZE = SB_WITH_ERROR + 2 };

static void format_measure(const sb_evaluation *e, bool ensemble, const sb_measure *m, char out[CELL_SIZE]) {
    if (e->refusal != NULL) {
        snprintf(out, CELL_SIZE, "-");
        return;
    }
    const bool judged = ensemble || strncmp(m->name, "order", 5) == 0 || strcmp(m->name, "energy drift") == 0;
    if (isnan(m->value)) {
        snprintf(out, CELL_SIZE, "%s", strncmp(m->note, "stable up to", 12) == 0 ? "none found" : "");
    } else if (judged && m->uncertainty > 0.0 && isfinite(m->uncertainty)) {
        sb_text_with_error(m->value, m->uncertainty, out);
    } else {
        snprintf(out, CELL_SIZE, fabs(m->value) >= 1e-3 || m->value == 0.0 ? "%.3g" : "%.2e", m->value);
    }
    if (judged && !isnan(m->value) && strcmp(m->note, "unclear") == 0) {
        strcat(out, "?");
    }
}

/* Writes the rows of a problem, without those that have no value for any stepper. In a table of the problem `alone`
 * they have neither its keys nor columns of the steppers that do not take it, and none has zeros only. */
static int write_wide_rows(const comparison *c, int problem, bool alone, sb_sink *out) {
    sb_arena *arena = c->me->arena;
    sb_measure(*lists)[SB_MEASURES];
    spread spreads[SB_MEASURES];
    sb_cell *cells;
    char(*texts)[CELL_SIZE];
    int count = 0;
    SB_NEW(arena, lists, c->steppers);
    SB_NEW(arena, cells, c->steppers + KEYS);
    SB_NEW(arena, texts, c->steppers);
    for (int s = 0; s < c->steppers; s++) {
        if (at(c, problem, s)->refusal == NULL) {
            SB_TRY(measure(c, problem, s, lists[s], spreads, &count));
        }
    }
    for (int k = 0; k < count; k++) {
        bool any = false;
        int n = alone ? 1 : KEYS;
        cells[0] = sb_text(at(c, problem, 0)->family);
        cells[1] = sb_text(c->name[problem]);
        for (int s = 0; s < c->steppers; s++) {
            const sb_measure *m = &lists[s][k];
            const bool refused = at(c, problem, s)->refusal != NULL;
            format_measure(at(c, problem, s), c->me->shared.ensemble.members > 0, m, texts[s]);
            if (!refused) {
                cells[alone ? 0 : KEYS - 1] = sb_text(m->name);
                any = any || !(isnan(m->value) || (alone && m->value == 0.0));
            }
            if (!refused || !alone) {
                cells[n++] = sb_text(texts[s]);
            }
        }
        SB_TRY(any ? out->row(out, cells) : SB_OK);
    }
    return SB_OK;
}

int cli_compare_wide(const comparison *c, sb_sink *out) {
    static const sb_column keys[KEYS] = {
        {"family", SB_COL_KEY, "", ""}, {"problem", SB_COL_KEY, "", ""}, {"measure", SB_COL_KEY, "", ""}};
    sb_column *columns;
    SB_NEW(c->me->arena, columns, c->steppers + KEYS);
    memcpy(columns, keys, sizeof keys);
    for (int s = 0; s < c->steppers; s++) {
        columns[KEYS + s] = (sb_column){cli_label(c->me, c->stepper[s]), SB_COL_INFO, "", ""};
    }
    SB_TRY(out->begin(out, c->steppers + KEYS, columns));
    for (int p = 0; p < c->problems; p++) {
        SB_TRY(write_wide_rows(c, c->order[p], false, out));
    }
    return out->end(out);
}

/* Writes a table in LaTeX for a problem, headed by its name: a row per number, a column per stepper. */
static int write_problem(const comparison *c, int problem, FILE *to) {
    sb_table table;
    sb_column *columns;
    int n = 1;
    SB_NEW(c->me->arena, columns, c->steppers + 1);
    columns[0] = (sb_column){" ", SB_COL_KEY, "", ""};
    for (int s = 0; s < c->steppers; s++) {
        if (at(c, problem, s)->refusal == NULL) {
            columns[n++] = (sb_column){cli_label(c->me, c->stepper[s]), SB_COL_INFO, "", ""};
        }
    }
    SB_TRY(sb_table_begin(&table, c->me->arena, n, columns));
    SB_TRY(write_wide_rows(c, problem, true, &table.sink));
    const char *text = c->me->shared.caption, *name = at(c, problem, 0)->problem;
    if (text[0] != '\0') {
        const bool stop = sb_ends_with(text, ".");
        sb_caption caption = {.text = NULL};
        SB_PRINT(c->me->arena, caption.text, "%.*s: %s%s", (int)strlen(text) - stop, text, name, stop ? "." : "");
        SB_PRINT(c->me->arena, caption.file, "compare-%s.tex", name);
        return sb_write_view(&table, to, SB_FORMAT_LATEX, &caption);
    }
    fputs("\\par\\medskip\\noindent ", to);
    sb_escape(to, SB_LATEX, name);
    fputs("\\par\\smallskip\\noindent\n", to);
    return sb_write_view(&table, to, SB_FORMAT_LATEX, NULL);
}

int cli_compare_latex(const comparison *c, const char *path) {
    sb_outfile file;
    int status = SB_OK;
    SB_TRY(sb_outfile_open(c->me->ctx, c->me->arena, path, &file));
    for (int p = 0; p < c->problems && status == SB_OK; p++) {
        status = write_problem(c, c->order[p], file.stream);
    }
    return sb_outfile_close(&file, status);
}
