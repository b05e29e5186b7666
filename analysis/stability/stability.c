/* Analysis `stability`: a stepper's stability map and its thresholds at once: the largest root over the step and a parameter. notes11 3-5. */
#include "analysis/stability/amplification.h"
#include "analysis/row.h"
#include "analysis/vary.h"

typedef struct stability_config {
    const char *vary;
    sb_reals values;
    double h_max;
    long cells;
} stability_config;

enum { PROBLEM, STEPPER, PARAMETER, VALUE, H, RADIUS, STABLE, H_LIMIT, STATUS, COLUMNS };

/* Drag on the oscillator, whose omega is 1/s: from none to critical. */
static const char *const usual = "gamma";
static double usual_values[] = {0.0, 0.1, 0.2, 0.5, 1.0, 2.0};

/* The roots at h, for as long as the scratch arena lives; a step that fails is a result, with its sentence. */
typedef struct look {
    sb_amplification a;
    const char *failure; /* NULL: none */
} look;

static int look_at(sb_context *ctx, sb_arena *arena, const sb_pair *pair, double h, look *out) {
    sb_arena scratch;
    if (sb_interrupted(ctx)) {
        return sb_fail(ctx, SB_INTERRUPTED, "interrupted at h = %.9g", h);
    }
    *out = (look){0};
    sb_arena_init(&scratch, ctx);
    int status = sb_amplification_measure(ctx, &scratch, pair, h, &out->a);
    out->a.roots = NULL; /* the scratch arena's */
    if (sb_failure_is_result(status)) {
        out->failure = sb_strdup(arena, ctx->message[0] != '\0' ? ctx->message : sb_status_text(status));
        status = out->failure != NULL ? SB_OK : SB_NO_MEMORY;
    }
    sb_arena_free(&scratch);
    return status;
}

static bool stable(const look *l) { return l->failure == NULL && l->a.bounded == SB_BOUNDED; }

/* The largest stable step below the first cell that is not; infinite when all are, 0 when nothing down to a thousandth of a cell is. To 1e-6:
 * nearer to a threshold where roots meet, they cannot be told apart (amplification.h). */
static int threshold(sb_context *ctx, sb_arena *arena, const sb_pair *pair, long cells, double cell, const look *row, double *h) {
    long first = 0;
    look l;
    while (first < cells && stable(&row[first])) {
        first++;
    }
    *h = first < cells ? 0.0 : INFINITY;
    double lo = (double)first * cell, hi = lo + cell;
    for (double below = 0.5 * hi; !(lo > 0.0); below *= 0.5) {
        if (below < 1e-3 * cell) {
            return SB_OK;
        }
        SB_TRY(look_at(ctx, arena, pair, below, &l));
        *(stable(&l) ? &lo : &hi) = below;
    }
    while (first < cells && hi - lo > 1e-6 * hi) {
        const double middle = 0.5 * (lo + hi);
        SB_TRY(look_at(ctx, arena, pair, middle, &l));
        *(stable(&l) ? &lo : &hi) = middle;
        *h = lo;
    }
    return SB_OK;
}

/* The cells of one value of the parameter (name "": none). */
static int write_value(sb_context *ctx, sb_arena *arena, const stability_config *config, const sb_pair *pair, const char *name, double value, sb_sink *out) {
    const double cell = (config->h_max > 0.0 ? config->h_max : 4.0 * pair->sys->time_scale) / (double)config->cells;
    look *row;
    double limit;
    SB_NEW(arena, row, config->cells);
    for (long i = 0; i < config->cells; i++) {
        SB_TRY(look_at(ctx, arena, pair, (double)(i + 1) * cell, &row[i]));
    }
    SB_TRY(threshold(ctx, arena, pair, config->cells, cell, row, &limit));
    for (long i = 0; i < config->cells; i++) {
        const bool named = name[0] != '\0', failed = row[i].failure != NULL;
        const sb_cell cells[COLUMNS] = {sb_text(pair->problem),
                                        sb_text(pair->stepper),
                                        named ? sb_text(name) : sb_empty(),
                                        named ? sb_real(value) : sb_empty(),
                                        sb_real((double)(i + 1) * cell),
                                        failed ? sb_empty() : sb_real(row[i].a.radius),
                                        failed ? sb_empty() : sb_text(sb_bounded_name[row[i].a.bounded]),
                                        sb_real(limit),
                                        sb_text(failed ? row[i].failure : SB_STATUS_FINE)};
        SB_TRY(out->row(out, cells));
    }
    return SB_OK;
}

static int write_refusal(const sb_context *ctx, const sb_pair *pair, const char *name, double value, sb_sink *out) {
    const sb_cell cells[COLUMNS] = {sb_text(pair->problem), sb_text(pair->stepper), sb_text(name), sb_real(value), sb_empty(), sb_empty(), sb_empty(), sb_empty(),
                                    sb_text(ctx->message)};
    return out->row(out, cells);
}

static int write_map(sb_context *ctx, sb_arena *arena, const stability_config *config, const sb_pair *pair, sb_sink *out) {
    const bool asked = config->vary[0] != '\0';
    const char *name = asked ? config->vary : sb_pair_has(ctx, pair, usual) ? usual : "";
    sb_reals values = config->values;
    if (asked && values.n == 0) {
        return sb_fail(ctx, SB_BAD_USAGE, "stability: vary=%s needs values: values=[1,10,100]", name);
    }
    if (name[0] == '\0') {
        return write_value(ctx, arena, config, pair, name, 0.0, out);
    }
    if (values.n == 0) {
        values = (sb_reals){sizeof usual_values / sizeof usual_values[0], usual_values};
    }
    for (int k = 0; k < values.n; k++) {
        sb_pair varied;
        const int status = sb_pair_vary(ctx, arena, pair, name, values.x[k], &varied);
        if (status == SB_UNSUPPORTED) { /* a stepper that takes no drag, say */
            SB_TRY(write_refusal(ctx, pair, name, values.x[k], out));
            continue;
        }
        SB_TRY(status);
        SB_TRY(write_value(ctx, arena, config, &varied, name, values.x[k], out));
    }
    return SB_OK;
}

static int run(sb_context *ctx, const void *config, const sb_pair *pair, sb_sink *out) {
    sb_arena arena;
    sb_arena_init(&arena, ctx);
    const int status = write_map(ctx, &arena, config, pair, out);
    sb_arena_free(&arena);
    return status;
}

static const sb_param params[] = {
    {"vary", SB_TEXT, offsetof(stability_config, vary), "", 0.0, 0.0, SB_CLOSED, NULL, "",
     "a parameter of the stepper, or else of the problem, that takes each of `values`; empty: gamma where there is one, else none"},
    {"values", SB_REALS, offsetof(stability_config, values), "", -INFINITY, INFINITY, SB_OPEN, NULL, "", "values of the parameter; empty: of gamma, 0 to 2"},
    {"h_max", SB_REAL, offsetof(stability_config, h_max), "0", 0.0, INFINITY, SB_OPEN_HI, NULL, "s", "the longest step looked at; 0: 4 of the problem's time scales"},
    {"cells", SB_INT, offsetof(stability_config, cells), "12", 1.0, 1000.0, SB_CLOSED, NULL, "", "steps looked at, in equal parts of h_max"},
    {0}};

static const sb_column columns[COLUMNS] = {
    {"problem", SB_COL_KEY, "", "the problem"},
    {"stepper", SB_COL_KEY, "", "the stepper"},
    {"parameter", SB_COL_KEY, "", "the parameter varied; empty if none is"},
    {"value", SB_COL_KEY, "", "its value"},
    {"h", SB_COL_KEY, "s", "step"},
    {"radius", SB_COL_EXACT, "", "largest modulus of a root"},
    {"stable", SB_COL_INFO, "", "as amplification tells: yes, linear, no or unclear"},
    {"h_limit", SB_COL_EXACT, "s", "threshold: the largest stable step for this value, up to the first one that is not; inf: none up to h_max; 0: no step is stable"},
    {"status", SB_COL_INFO, "", "ok, or why there is no result"}};

extern const sb_analysis sb_analysis_stability;
const sb_analysis sb_analysis_stability = {
    .entry = {"stability", "stability map and thresholds of a stepper: the largest root over the step and a parameter", "notes11 3", params, sizeof(stability_config)},
    .default_problem = "oscillator",
    .ncolumns = COLUMNS,
    .columns = columns,
    .run = run};
