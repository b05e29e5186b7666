/* The card of every stepper: results/cards/NAME.html, and the numbers of all of them. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench/card/card.h"
#include "bench/runner/experiment_tools.h"
#include "core/output/sink.h"

/* Processor time in s for an analysis of one pair: ten times that of the slowest. */
enum { SECONDS = 60, BASELINES = 7 };

static const sb_column columns[] = {
    {"stepper", SB_COL_KEY, "", "the stepper"},
    {"family", SB_COL_KEY, "", "family of problems, by their features"},
    {"problem", SB_COL_KEY, "", "the problem"},
    {"measure", SB_COL_KEY, "", "measured quantity, with its unit"},
    {"value", SB_COL_EXACT, "",
     "its value, down to the digit of its standard error, noise or round-off, above which it has at least one digit"}};

/* Returns the cell of a measure. */
static sb_cell cell_of(const sb_measure *m) {
    const double half = 0.5 * m->uncertainty, size = fabs(m->value);
    return isnan(half) ? sb_real(m->value) : sb_trusted(m->value, size > 2.0 * half ? fmin(half, 0.05 * size) : half);
}

static int write_measures(sb_bench *bench, const sb_card_data *d, sb_sink *out) {
    for (int i = 0; i < d->problems; i++) {
        const sb_evaluation *j = &d->evaluations[i];
        sb_measure list[SB_MEASURES];
        int count = 0;
        if (j->refusal == NULL) {
            sb_measures_of(j, list, &count);
        }
        for (int k = 0; k < count; k++) {
            if (!isnan(list[k].value)) {
                const char *name;
                SB_PRINT(&bench->arena, name, list[k].unit[0] != '\0' ? "%s [%s]" : "%s", list[k].name, list[k].unit);
                SB_TRY(SB_ROW(out, sb_text(j->stepper), sb_text(j->family), sb_text(j->problem), sb_text(name),
                              cell_of(&list[k])));
            }
        }
    }
    return SB_OK;
}

/* Returns whether the name is in the list SB_CARD_BASELINES. */
static bool is_baseline(const char *name) {
    char item[64];
    snprintf(item, sizeof item, ",%s,", name);
    return strstr("," SB_CARD_BASELINES ",", item) != NULL;
}

static int write_card(sb_bench *bench, const sb_card_data *subjects, int count, int which) {
    const sb_card_data *baselines[BASELINES];
    int others = 0;
    for (int i = 0; i < count && others < BASELINES; i++) {
        if (i != which && is_baseline(subjects[i].stepper)) {
            baselines[others++] = &subjects[i];
        }
    }
    const char *path;
    SB_PRINT(&bench->arena, path, "%s/cards/%s.html", bench->out, subjects[which].stepper);
    sb_card card = {.ctx = bench->ctx,
                    .arena = &bench->arena,
                    .subject = &subjects[which],
                    .nbaselines = others,
                    .baselines = baselines,
                    .path = path};
    return sb_card_write(&card);
}

static int run(sb_bench *bench) {
    const sb_registry *registry = bench->ctx->registry;
    const int count = registry->count[SB_KIND_STEPPER];
    const sb_limits limits = {.jobs = bench->jobs, .seconds = SECONDS};
    const char *directory;
    sb_card_data *subjects;
    sb_table table;
    sb_sink *rows;
    SB_NEW(&bench->arena, subjects, count);
    SB_PRINT(&bench->arena, directory, "%s/cards", bench->out);
    SB_TRY(sb_make_directories(bench->ctx, &bench->arena, directory));
    sb_table_init(&table, &bench->arena);
    SB_TRY(sb_sink_form(bench->ctx, &bench->arena, &(sb_row_form){.pivot = "measure"}, &table.sink, &rows));
    SB_TRY(rows->begin(rows, sizeof columns / sizeof columns[0], columns));
    for (int i = 0; i < count; i++) {
        const char *name = registry->entries[SB_KIND_STEPPER][i]->name;
        SB_TRY(sb_card_data_make(bench->ctx, &bench->arena, name, 0, NULL,
                                 is_baseline(name) ? SB_CARD_BOTH : SB_CARD_SUBJECT, &limits, &subjects[i]));
        SB_TRY(write_measures(bench, &subjects[i], rows));
    }
    SB_TRY(rows->end(rows));
    for (int i = 0; i < count; i++) {
        SB_TRY(write_card(bench, subjects, count, i));
    }
    return sb_bench_save_curves(bench, &table, "cards.csv");
}

SB_DEFINE_EXPERIMENT(cards) = {
    .entry = {"cards", "The card of every stepper, and the numbers of all of them in one table.", "hlw06", NULL, 0},
    .files = SB_LIST("cards.csv"),
    .seconds = 90,
    .run = run,
};
