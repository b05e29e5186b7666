/* The card of every stepper: results/cards/NAME.html, and the numbers of all of them. */
#include <string.h>

#include "bench/card/card.h"
#include "bench/runner/experiment_tools.h"
#include "core/output/sink.h"

/* Processor time in s for an analysis of one pair: ten times that of the slowest. */
enum { SECONDS = 60, BASELINES = 7 };

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

/* What the processes of the cards share: the data of the baselines, in the order of the registry. */
typedef struct cards {
    sb_bench *bench;
    int count;
    sb_card_data baselines[BASELINES];
} cards;

static int make_data(sb_bench *bench, const char *name, sb_card_role role, sb_card_data *out) {
    const sb_limits limits = {.jobs = bench->jobs, .seconds = SECONDS};
    return sb_card_data_make(bench->ctx, &bench->arena, name, 0, NULL, role, &limits, out);
}

/* Writes a card, and its measures as rows. */
static int run_card(void *arg, int k, const sb_pair *pair, sb_progress *progress, sb_sink *rows) {
    const cards *all = arg;
    sb_bench *bench = all->bench;
    const sb_card_data *baselines[BASELINES], *subject = NULL;
    sb_card_data own;
    int others = 0;
    for (int i = 0; i < all->count; i++) {
        const bool same = strcmp(all->baselines[i].stepper, pair->stepper) == 0;
        subject = same ? &all->baselines[i] : subject;
        baselines[others] = &all->baselines[i];
        others += !same;
    }
    if (subject == NULL) {
        SB_TRY(make_data(bench, pair->stepper, SB_CARD_SUBJECT, &own));
        subject = &own;
    }
    sb_card card = {
        .ctx = bench->ctx, .arena = &bench->arena, .subject = subject, .nbaselines = others, .baselines = baselines};
    SB_PRINT(&bench->arena, card.path, "%s/cards/%s.html", bench->out, pair->stepper);
    SB_TRY(write_measures(bench, subject, rows));
    return sb_card_write(&card);
}

static int card_ended(void *arg, int k, int status, const char *message, bool crashed, sb_sink *out) {
    const cards *all = arg;
    return status == SB_OK ? SB_OK
                           : sb_fail(all->bench->ctx, status, "card of %s: %s",
                                     all->bench->ctx->registry->entries[SB_KIND_STEPPER][k]->name, message);
}

/* The baselines are evaluated first; then every card is made in a process of its own. */
SB_DEFINE_EXPERIMENT(cards) {
    const sb_registry *registry = bench->ctx->registry;
    const int count = registry->count[SB_KIND_STEPPER];
    cards all = {.bench = bench};
    const char *directory;
    sb_pair *steppers;
    sb_table measures, table;
    sb_sink *rows;
    SB_TRY(sb_bench_table(bench, "cards", &measures));
    const sb_pair_work work = {.arg = &all,
                               .name = "card",
                               .ncolumns = measures.ncolumns,
                               .columns = measures.columns,
                               .run = run_card,
                               .ended = card_ended};
    SB_NEW(&bench->arena, steppers, count);
    SB_PRINT(&bench->arena, directory, "%s/cards", bench->out);
    SB_TRY(sb_make_directories(bench->ctx, &bench->arena, directory));
    for (int i = 0; i < count; i++) {
        steppers[i].stepper = steppers[i].problem = registry->entries[SB_KIND_STEPPER][i]->name;
        SB_TRY(is_baseline(steppers[i].stepper)
                   ? make_data(bench, steppers[i].stepper, SB_CARD_BOTH, &all.baselines[all.count++])
                   : SB_OK);
    }
    sb_table_init(&table, &bench->arena);
    SB_TRY(sb_sink_form(bench->ctx, &bench->arena, &(sb_row_form){.pivot = "measure"}, &table.sink, &rows));
    SB_TRY(rows->begin(rows, work.ncolumns, work.columns));
    SB_TRY(sb_pairs_work(bench->ctx, &bench->arena, &work, count, steppers, bench->jobs, 0, NULL, rows));
    SB_TRY(rows->end(rows));
    return sb_bench_save_curves(bench, &table, "cards.csv");
}
