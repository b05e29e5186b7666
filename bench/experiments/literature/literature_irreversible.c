/* Motions that no reversal maps into themselves: a rotation in a potential without symmetry, faou04, and one that
 * drives two oscillators through a gear of variable ratio, a nonholonomic row, modin20. */
#include <string.h>

#include "analysis/conservation/drift.h"
#include "bench/runner/experiment_tools.h"

enum { COORDINATES = 3, BATCHES = 32, LEVELS = 4 };
static const double h = 0.2;
static const long steps = 2000; /* of the shortest run; each of the others is twice as long as the one before */

/* V = -cos x + skew sin 2 x, and with the gear + (y^2 + z^2)/2, z' = (3/2 + sin(x + 1/2)) y'. */
typedef struct rotor {
    double skew, v0; /* initial x' */
    bool gear;
} rotor;

static double ratio(double x) { return 1.5 + sin(x + 0.5); }
static double ratio_slope(double x) { return cos(x + 0.5); }

static int mass(const void *self, const double *q, double *Mx) {
    const rotor *p = self;
    Mx[0] = 1.0;
    if (p->gear) {
        Mx[1] = Mx[2] = 1.0;
    }
    return SB_OK;
}

static int potential(const void *self, double t, const double *q, double *V) {
    const rotor *p = self;
    *V = -cos(q[0]) + p->skew * sin(2.0 * q[0]) + (p->gear ? 0.5 * (q[1] * q[1] + q[2] * q[2]) : 0.0);
    return SB_OK;
}

static int gradient(const void *self, double t, const double *q, double *Vq) {
    const rotor *p = self;
    Vq[0] = sin(q[0]) + 2.0 * p->skew * cos(2.0 * q[0]);
    if (p->gear) {
        Vq[1] = q[1];
        Vq[2] = q[2];
    }
    return SB_OK;
}

static int hessian(const void *self, double t, const double *q, double c, double *Hx) {
    const rotor *p = self;
    Hx[0] += c * (cos(q[0]) - 4.0 * p->skew * sin(2.0 * q[0]));
    if (p->gear) {
        Hx[COORDINATES + 1] += c;
        Hx[2 * COORDINATES + 2] += c;
    }
    return SB_OK;
}

static int row(const void *self, double t, const double *q, double *Ax, double *w) {
    if (Ax != NULL) {
        Ax[0] = 0.0; /* the coordinate on which the row depends */
        Ax[1] = -ratio(q[0]);
        Ax[2] = 1.0;
    }
    if (w != NULL) {
        w[0] = 0.0;
    }
    return SB_OK;
}

static int row_rate(const void *self, double t, const double *q, const double *v, double *out) {
    out[0] = -ratio_slope(q[0]) * v[0] * v[1];
    return SB_OK;
}

static int row_gradient(const void *self, double t, const double *q, const double *v, double *Ax) {
    Ax[0] = -ratio_slope(q[0]) * v[1];
    Ax[1] = Ax[2] = 0.0;
    return SB_OK;
}

static int initial(const void *self, double *t, double *q, double *v) {
    const rotor *p = self;
    const double v1 = 0.4, start[2][COORDINATES] = {{0.0, 0.5, -0.3}, {p->v0, v1, ratio(0.0) * v1}};
    const size_t size = (p->gear ? COORDINATES : 1) * sizeof *q;
    *t = 0.0;
    memcpy(q, start[0], size);
    memcpy(v, start[1], size);
    return SB_OK;
}

static int make(sb_context *ctx, sb_arena *arena, const rotor *p, sb_system *out) {
    const int n = p->gear ? COORDINATES : 1;
    *out = (sb_system){.n = n, .time_scale = 0.5, .self = p, .initial = initial};
    SB_TRY(sb_pattern_full(arena, n, n, &out->H));
    SB_TRY(sb_pattern_diagonal(arena, n, &out->inertia.M));
    out->inertia.self = p;
    out->inertia.mass = mass;
    out->potential =
        (sb_potential){.self = p, .degree = -1, .value = potential, .gradient = gradient, .hessian = hessian};
    if (p->gear) {
        SB_TRY(sb_pattern_full(arena, n, 1, &out->nonholonomic.A));
        out->nonholonomic.m = 1;
        out->nonholonomic.value = row;
        out->nonholonomic.rate = row_rate;
        out->nonholonomic.gradient = row_gradient;
    }
    return sb_system_finish(ctx, arena, p->gear ? "rotor with a gear" : "rotor", out);
}

static const struct {
    const char *name, *stepper;
    rotor rotor;
} cases[] = {{"rotation, no symmetry", "lobatto_iiia_b:tables=iiib", {0.2, 2.5, false}},
             {"rotation, no symmetry", "lobatto_iiia_b:tables=iiia", {0.2, 2.5, false}},
             {"rotation, no symmetry", "lobatto_iiia_b", {0.2, 2.5, false}},
             {"swing, no symmetry", "lobatto_iiia_b:tables=iiib", {0.2, 1.5, false}},
             {"rotation, symmetric", "lobatto_iiia_b:tables=iiib", {0.0, 2.5, false}},
             {"gear, no symmetry", "lie_variational", {0.2, 2.5, true}},
             {"gear, swing", "lie_variational", {0.2, 1.5, true}}};

/* Runs a case over four lengths, and adds the largest change of the energy and the verdict on its drift. */
static int follow(sb_bench *bench, int k, sb_table *table) {
    for (int level = 0; level < LEVELS; level++) {
        sb_system sys;
        sb_pair pair;
        sb_drift *energy; /* the first one */
        int count;
        SB_SCRATCH(scratch, bench->ctx);
        SB_TRY(make(bench->ctx, &scratch, &cases[k].rotor, &sys));
        SB_TRY(sb_pair_build(bench->ctx, &scratch, &sys, cases[k].stepper, &pair));
        SB_TRY(sb_drift_measure(bench->ctx, &scratch, &pair, h, steps << level, BATCHES, &energy, &count));
        SB_TRY(SB_TABLE_ROW(table, sb_text(cases[k].name), sb_text(cases[k].stepper),
                            sb_real((double)(steps << level) * h), sb_real(energy->max), sb_real(energy->slope.value),
                            sb_real(energy->slope.se), sb_text(sb_drift_verdict_name[energy->verdict])));
    }
    return SB_OK;
}

SB_DEFINE_EXPERIMENT(literature_irreversible) {
    sb_table table;
    SB_TRY(sb_bench_table(bench, "literature_irreversible", &table));
    for (int k = 0; k < SB_COUNT(cases); k++) {
        SB_TRY(follow(bench, k, &table));
    }
    return sb_bench_save(bench, &table, "literature_irreversible.csv");
}
