/* Analysis `energy`: the energy error of a long run, as the range it covers in each of a number of blocks. hlw06 IX. */


#include "analysis/conservation/quantities.h"
#include "analysis/row.h"
#include "core/run/run.h"

extern const sb_analysis sb_analysis_energy;

typedef struct energy_config {
    sb_reals h;
    long steps, blocks;
} energy_config;

enum { PROBLEM, STEPPER, H, STEP, T, LOW, HIGH, STATUS, COLUMNS };

typedef struct watch {
    const sb_pair *pair;
    sb_sink *out;
    sb_quantities qs;
    double *value, *sizes;
    double h, first, size; /* step; of the first sample: the energy, and |T| + |V|, at least that of a later sample where it is nothing */
    double low, high;
    long length, in_block, steps; /* samples of a block; samples so far; steps of the run */
} watch;

static int end_block(watch *w, const sb_sample *s) {
    const sb_cell row[COLUMNS] = {sb_text(w->pair->problem), sb_text(w->pair->stepper), sb_real(w->h),  sb_int(s->step),
                                  sb_real(s->t),             sb_real(w->low),           sb_real(w->high), sb_text(SB_STATUS_FINE)};
    w->in_block = 0;
    return w->out->row(w->out, row);
}

static int observe(void *arg, const sb_sample *s) {
    watch *w = arg;
    SB_TRY(sb_quantities_value(&w->qs, s->t, s->q, s->v, w->value, w->sizes));
    if (s->step == 0) {
        w->first = w->value[0];
        w->size = w->sizes[0];
        return SB_OK;
    }
    w->size = w->size > 0.0 ? w->size : w->sizes[0];
    const double error = w->size > 0.0 ? (w->value[0] - w->first) / w->size : 0.0;
    w->low = w->in_block == 0 || error < w->low ? error : w->low;
    w->high = w->in_block == 0 || error > w->high ? error : w->high;
    return ++w->in_block == w->length || s->step == w->steps ? end_block(w, s) : SB_OK;
}

/* A run that ends early leaves the rows up to there and one that says why. */
static int write_run(sb_context *ctx, sb_arena *arena, const void *options, const sb_pair *pair, double h, sb_sink *out) {
    const energy_config *config = options;
    sb_method method = {0};
    watch w = {.pair = pair, .out = out, .h = h, .length = (config->steps + config->blocks - 1) / config->blocks, .steps = config->steps};
    sb_run run = {.h = h, .steps = config->steps, .every = 1};
    int status = sb_quantities_init(ctx, arena, pair->sys, &w.qs);
    if (status == SB_OK) {
        w.value = sb_alloc(arena, (size_t)w.qs.count, sizeof *w.value);
        w.sizes = sb_alloc(arena, (size_t)w.qs.count, sizeof *w.sizes);
        status = w.value == NULL || w.sizes == NULL ? SB_NO_MEMORY : sb_method_init(ctx, arena, pair->type, pair->config, pair->sys, &method);
    }
    status = status == SB_OK ? sb_run_method(&method, &run, observe, &w) : status;
    if (sb_failure_is_result(status)) {
        status = sb_row_failure(&sb_analysis_energy, pair, h, status, ctx->message, out);
    }
    sb_method_fini(&method);
    sb_quantities_fini(&w.qs);
    return status;
}

static int run(sb_context *ctx, const void *config, const sb_pair *pair, sb_sink *out) {
    const energy_config *c = config;
    return sb_each_step(ctx, config, pair, &c->h, 1, 0.0, write_run, out);
}

static const sb_param params[] = {
    {"h", SB_REALS, offsetof(energy_config, h), "", 0.0, INFINITY, SB_OPEN, NULL, "s", "steps; empty: a tenth of the problem's time scale"},
    {"steps", SB_INT, offsetof(energy_config, steps), "100000", 1.0, 1e12, SB_CLOSED, NULL, "", "steps of a run"},
    {"blocks", SB_INT, offsetof(energy_config, blocks), "200", 1.0, 1e6, SB_CLOSED, NULL, "", "a row each; every step is in one"},
    {0}};

static const sb_column columns[COLUMNS] = {
    {"problem", SB_COL_KEY, "", "the problem"},
    {"stepper", SB_COL_KEY, "", "the stepper"},
    {"h", SB_COL_KEY, "s", "step"},
    {"step", SB_COL_KEY, "", "the last of the block"},
    {"t", SB_COL_EXACT, "s", "its time"},
    {"low", SB_COL_EXACT, "", "smallest deviation of the energy from its start within the block, over |T| + |V| at the start"},
    {"high", SB_COL_EXACT, "", "the largest"},
    {"status", SB_COL_INFO, "", "ok, or how the run ended"}};

const sb_analysis sb_analysis_energy = {
    .entry = {"energy", "energy error of a long run, as the range it covers in each of a number of blocks", "hlw06 IX", params, sizeof(energy_config)},
    .ncolumns = COLUMNS,
    .columns = columns,
    .run = run};
