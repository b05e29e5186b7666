/* Analysis `energy`: the range of the energy error in each block of a long run. hlw06 IX. */
#include "analysis/conservation/quantities.h"
#include "analysis/row.h"

typedef struct energy_config {
    sb_step_options step;
    long steps, blocks;
} energy_config;

typedef struct series {
    const sb_task *task;
    sb_quantities qs;
    double first;       /* energy of the first sample */
    double start, size; /* |T| + |V| of the first sample; the same, or the largest so far if the first is round-off */
    double low, high;   /* smallest and largest error of the energy in the block */
    long length, count; /* samples per block; samples in the block so far */
} series;

static int observe(void *arg, const sb_sample *s) {
    series *w = arg;
    const energy_config *config = w->task->config;
    double energy, size;
    const char *excluded = sb_quantities_excluded(&w->qs, 0);
    SB_TRY(sb_quantities_follow(&w->qs, s->t, s->q, s->v));
    SB_TRY(sb_quantities_energy(&w->qs.dyn, s->t, s->q, s->v, &energy, &size));
    energy -= w->qs.work.value;
    w->size = w->start <= sqrt(DBL_EPSILON) * size ? fmax(w->size, size) : w->size;
    if (s->step == 0) {
        w->first = energy;
        w->start = w->size = size;
        return SB_OK;
    }
    const double error = w->size > 0.0 ? (energy - w->first) / w->size : 0.0;
    w->low = w->count == 0 || error < w->low ? error : w->low;
    w->high = w->count == 0 || error > w->high ? error : w->high;
    if (++w->count < w->length && s->step < config->steps) {
        return SB_OK;
    }
    w->count = 0;
    return sb_row_status(w->task, excluded == NULL ? SB_STATUS_OK : excluded,
                         SB_CELLS(sb_int(s->step), sb_real(s->t), sb_known(w->low), sb_known(w->high)));
}

/* Runs the pair and writes the rows. If the run fails, the rows of its complete blocks have been written. */
static int run(sb_task *task) {
    const energy_config *config = task->config;
    series w = {.task = task, .length = (config->steps + config->blocks - 1) / config->blocks};
    SB_TRY(sb_quantities_init(task->ctx, task->arena, task->sys, task->h, &w.qs));
    return sb_pair_run(task->ctx, task->arena, task->pair, task->h, config->steps, observe, &w);
}

static const sb_param params[] = {
    SB_OPTION_H("a tenth of the problem's time scale in two digits"),
    SB_PARAM_INT(energy_config, steps, "100000", 1.0, 1e12, "number of steps"),
    SB_PARAM_INT(energy_config, blocks, "200", 1.0, 1e6, "number of blocks of equal length; each gives a row"),
    {0}};

static const sb_column columns[] = {
    SB_KEY_COLUMNS,
    {"step", SB_COL_KEY, "", "number of the last step of the block"},
    {"t", SB_COL_INFO, "s", "time at the end of the block"},
    {"low", SB_COL_EXACT, "",
     "smallest deviation of the energy, less the work of forces and drivers, from its initial value within the block, "
     "relative to the initial |T| + |V|, and to the largest so far where that is round-off"},
    {"high", SB_COL_EXACT, "", "largest deviation within the block"},
    {"status", SB_COL_INFO, "", "ok, why the energy is not conserved, or why the run ended early"}};

SB_DEFINE_ANALYSIS(energy) = {.entry = {"energy", "range of the energy error in each block of a long run", "hlw06 IX",
                                        params, sizeof(energy_config)},
                              .levels = 1,
                              .forward = true,
                              SB_COLUMNS(columns),
                              .example = "stepbench energy -p kepler -s verlet",
                              .run = run};
