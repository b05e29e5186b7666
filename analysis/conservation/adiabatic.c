/* Analysis `adiabatic`: change of an adiabatic invariant over the step, and its peaks at resonances of the step with a
 * fast mode. hlw06 XIII.2, garcia99.
 *
 * `resonance` finds these steps from the roots of the step at an equilibrium; here they are measured along the motion,
 * whose other modes need not be linear. */
#include <string.h>

#include "analysis/conservation/quantities.h"
#include "analysis/modes/spectra.h"
#include "analysis/row.h"

typedef struct adiabatic_config {
    double from, to; /* h omega/pi */
    long points;
    double omega, t_end; /* 1/s; s */
    const char *output;
} adiabatic_config;

/* Duration of a run without t_end, in time scales of the problem; see sb_default_end. */
#define TIME_SCALES 10000.0

/* A change is a peak if on both sides the changes fall to a tenth of it before they exceed it. */
static const double prominence = 10.0;

/* The run of one step. */
typedef struct watch {
    const sb_outputs *outputs;
    int at; /* index of the invariant among the outputs */
    sb_dynamics dyn;
    double *values; /* values of the outputs: scratch */
    double first, energy;
    double change, error; /* largest change of the invariant; largest error of the energy */
} watch;

static int observe(void *arg, const sb_sample *s) {
    watch *w = arg;
    double energy, size;
    SB_TRY(w->outputs->value(w->outputs->self, s->t, s->q, s->v, w->values));
    SB_TRY(sb_quantities_energy(&w->dyn, s->t, s->q, s->v, &energy, &size));
    if (s->step == 0) {
        w->first = w->values[w->at];
        w->energy = energy;
    }
    w->change = sb_larger(w->change, fabs(w->values[w->at] - w->first));
    w->error = sb_larger(w->error, fabs(energy - w->energy));
    return SB_OK;
}

/* Result of one step; change is INFINITY if the run failed. */
typedef struct result {
    double h, change, error;
    const char *status;
} result;

static int measure(const sb_task *task, watch *w, double t_end, result *r) {
    SB_SCRATCH(arena, task->ctx);
    w->change = w->error = 0.0;
    const int status = sb_pair_run(task->ctx, &arena, task->pair, r->h, (long)ceil(t_end / r->h), observe, w);
    r->change = status == SB_OK ? w->change : INFINITY;
    r->error = w->error;
    r->status = SB_STATUS_OK;
    return sb_failure_keep(task->arena, status, &r->status);
}

/* Returns whether, from point k in steps of `by`, the changes fall to that fraction of the change at k before they
 * exceed it. */
static bool falls(const result *r, long count, long k, long by) {
    for (long i = k; i >= 0 && i < count && r[i].change <= r[k].change; i += by) {
        if (isfinite(r[i].change) && r[i].change * prominence <= r[k].change) {
            return true;
        }
    }
    return false;
}

/* Returns whether point k is a peak. Of successive equal changes, such as those of runs that failed, the middle one may
 * be. */
static bool is_peak(const result *r, long count, long k) {
    long first = k, last = k;
    while (first > 0 && r[first - 1].change == r[k].change) {
        first--;
    }
    while (last < count - 1 && r[last + 1].change == r[k].change) {
        last++;
    }
    return k == (first + last) / 2 && falls(r, count, k, -1) && falls(r, count, k, 1);
}

/* Sets w->at to the output named by the option. */
static int find_output(const sb_task *task, const char *name, watch *w) {
    const sb_outputs *outputs = w->outputs = &task->sys->outputs;
    while (w->at < outputs->count && strcmp(outputs->list[w->at].name, name) != 0) {
        w->at++;
    }
    return w->at < outputs->count
               ? SB_OK
               : sb_fail(task->ctx, SB_UNSUPPORTED, "%s has no output %s; `stepbench show %s` lists its outputs",
                         task->sys->name, name, task->sys->name);
}

/* A potential with the matrix of the springs that it offers in place of V_qq. */
static int inner_value(const void *self, double t, const double *q, double *V) {
    const sb_potential *inner = self;
    return inner->value(inner->self, t, q, V);
}

static int inner_gradient(const void *self, double t, const double *q, double *Vq) {
    const sb_potential *inner = self;
    return inner->gradient(inner->self, t, q, Vq);
}

static int springs_hessian(const void *self, double t, const double *q, double c, double *Hx) {
    const sb_potential *inner = self;
    return inner->springs(inner->self, c, Hx);
}

/* Computes the largest frequency of the springs that the problem offers, or of the modes at the initial state. */
static int find_omega(const sb_task *task, double *omega) {
    const sb_system *sys = task->sys;
    sb_system springs = *sys;
    sb_spectra spectra;
    double t, *q, *v;
    SB_TRY(SB_VECTORS(task->arena, sys->n, &q, &v));
    SB_TRY(sys->initial(sys->self, &t, q, v));
    if (sys->potential.springs != NULL) {
        springs.potential = (sb_potential){.self = &sys->potential,
                                           .degree = sys->potential.degree,
                                           .value = inner_value,
                                           .gradient = inner_gradient,
                                           .hessian = springs_hessian};
    }
    SB_TRY(sb_spectra_at(task->ctx, task->arena, &springs, SB_MATRICES_AUTO, 1, true, t, q, v, &spectra));
    *omega = sqrt(spectra.d > 0 ? spectra.projected[0] : 0.0);
    return *omega > 0.0 ? SB_OK
                        : sb_fail(task->ctx, SB_UNSUPPORTED,
                                  "%s has no mode that oscillates at its initial state; set omega", sys->name);
}

static int run(sb_task *task) {
    const adiabatic_config *config = task->config;
    const double t_end = config->t_end > 0.0 ? config->t_end : sb_default_end(task->sys, TIME_SCALES), pi = acos(-1.0);
    double omega = config->omega;
    watch w = {.at = 0};
    result *results;
    SB_TRY(find_output(task, config->output, &w));
    SB_TRY(omega > 0.0 ? SB_OK : find_omega(task, &omega));
    SB_TRY(sb_dynamics_init(task->ctx, task->arena, task->sys, &w.dyn));
    SB_TRY(SB_VECTORS(task->arena, w.outputs->count, &w.values));
    SB_NEW(task->arena, results, config->points);
    for (long k = 0; k < config->points; k++) {
        const double share = (double)k / (double)(config->points - 1);
        results[k].h = (config->from + share * (config->to - config->from)) * pi / omega;
        SB_TRY(measure(task, &w, t_end, &results[k]));
    }
    for (long k = 0; k < config->points; k++) {
        const result *r = &results[k];
        const bool ended = isfinite(r->change);
        task->h = r->h;
        SB_TRY(sb_row_status(task, r->status,
                             SB_CELLS(sb_real(r->h * omega / pi), sb_real(t_end), sb_known(ended ? r->change : NAN),
                                      sb_known(ended ? r->error : NAN), sb_yes(is_peak(results, config->points, k)))));
    }
    return SB_OK;
}

static int check(const sb_task *task) {
    const adiabatic_config *config = task->config;
    return config->to > config->from
               ? SB_OK
               : sb_fail(task->ctx, SB_BAD_USAGE, "adiabatic: to=%g is not above from=%g", config->to, config->from);
}

static const sb_param params[] = {
    SB_PARAM_POSITIVE(adiabatic_config, from, "0.1", "", "smallest step, as h omega/pi"),
    SB_PARAM_POSITIVE(adiabatic_config, to, "3", "", "largest step, as h omega/pi"),
    SB_PARAM_INT(adiabatic_config, points, "59", 3.0, 10000.0,
                 "number of steps, equally spaced, with a run each: with the defaults, 22 t_end omega steps in all"),
    SB_PARAM_NOT_NEGATIVE(
        adiabatic_config, omega, "0", "1/s",
        "frequency of the fast mode; 0: the largest one of the springs that the problem offers, or without an "
        "offer at the initial state"),
    SB_PARAM_NOT_NEGATIVE(adiabatic_config, t_end, "0", "s",
                          "length of the runs; 0: about 10000 time scales of the problem or, if longer, one period"),
    SB_PARAM_TEXT(adiabatic_config, output, "I", "the adiabatic invariant: an output of the problem"),
    {0}};

static const sb_column columns[] = {
    SB_KEY_COLUMNS,
    {"h_omega", SB_COL_EXACT, "", "h omega/pi, omega the frequency of the fast mode"},
    {"t_end", SB_COL_INFO, "s", "length of the run"},
    {"change", SB_COL_ERROR, "", "largest change of the invariant in that time; empty if the run failed"},
    {"energy", SB_COL_ERROR, "", "largest change of the energy"},
    {"peak", SB_COL_EXACT, "", "yes: on both sides the change falls to a tenth before it rises above this one"},
    SB_COLUMN_STATUS};

SB_DEFINE_ANALYSIS(adiabatic) = {
    .entry = {"adiabatic", "change of an adiabatic invariant over the step: resonances of the step with a fast mode",
              "hlw06 XIII.2; garcia99", params, sizeof(adiabatic_config)},
    .default_problem = "fput",
    SB_COLUMNS(columns),
    .example = "stepbench adiabatic -p fput -s trigonometric -s trigonometric:filter=mollified -s midpoint",
    .plot = "adiabatic",
    .check = check,
    .fixed_steps = true,
    .run = run};
