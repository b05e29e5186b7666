/* Random initial states of an ensemble: they lie on the constraints, depend on the seed and the number of the member
 * only, and a formulation sees the same states as the problem. */
#include "analysis/ensemble.h"
#include "tests/analysis/fixture.h"

#include <stepbench/numerics/dynamics.h>
#include <stepbench/numerics/norm.h>

static const double width = 0.05;

/* Builds member k. */
static sb_system *member(fixture *f, const char *problem, const char *formulation, long seed, long k) {
    const sb_ensemble ensemble = {.members = 8, .seed = seed, .width = width};
    const sb_system like = {.name = "like", .time_scale = 3.0, .period = 5.0};
    sb_spec spec;
    sb_specs around;
    sb_system *sys = sb_alloc(&f->arena, 1, sizeof *sys);
    int status = sb_spec_parse(&f->ctx, &f->arena, SB_KIND_PROBLEM, problem, &spec);
    status = status == SB_OK
                 ? sb_specs_parse(&f->ctx, &f->arena, SB_KIND_FORMULATION, formulation != NULL, &formulation, &around)
                 : status;
    status = status == SB_OK
                 ? sb_member_system(&f->ctx, &f->arena, &(sb_member){&ensemble, k}, &spec, &around, &like, sys)
                 : status;
    gsl_test(status != SB_OK || sys->time_scale != 3.0 || sys->period != 5.0 || strcmp(sys->name, "like") != 0,
             "member %ld of %s: %s", k, problem, status == SB_OK ? "its scales" : f->ctx.message);
    return sys;
}

static double energy(fixture *f, const sb_system *sys, double *q, double *v) {
    sb_dynamics dyn;
    double t, T, V;
    int status = sb_dynamics_init(&f->ctx, &f->arena, sys, &dyn);
    status = status == SB_OK ? sys->initial(sys->self, &t, q, v) : status;
    status = status == SB_OK ? sb_dynamics_energy(&dyn, t, q, v, &T, &V) : status;
    gsl_test(status != SB_OK, "energy: %s", f->ctx.message);
    return T + V;
}

/* The distance moved is at most width max|q|, and the way back to the constraints by least squares is no longer: twice
 * in the sum over the coordinates, of which there are n. */
static void on_constraints(fixture *f, const char *problem) {
    enum { MOST = 64 };
    double q0[MOST], v0[MOST], q[2][MOST], v[2][MOST], g[MOST], t;
    sb_system plain;
    gsl_test(sb_system_build(&f->ctx, &f->arena, problem, 0, NULL, &plain) != SB_OK || plain.n > MOST, "%s", problem);
    plain.initial(plain.self, &t, q0, v0);
    const double size = sb_norm_max(plain.n, q0);
    for (long k = 0; k < 4; k++) {
        const sb_system *first = member(f, problem, NULL, 5, k), *again = member(f, problem, NULL, 5, k);
        double moved = 0.0;
        first->initial(first->self, &t, q[0], v[0]);
        again->initial(again->self, &t, q[1], v[1]);
        gsl_test(memcmp(q[0], q[1], (size_t)plain.n * sizeof *q0) != 0 ||
                     memcmp(v[0], v[1], (size_t)plain.n * sizeof *v0) != 0,
                 "%s: member %ld is always the same", problem, k);
        for (int i = 0; i < plain.n; i++) {
            moved = fmax(moved, fabs(q[0][i] - q0[i]));
        }
        gsl_test(!(moved > 0.0) || moved > 2.0 * sqrt(plain.n) * width * size, "%s: member %ld moves by %g of %g",
                 problem, k, moved, size);
        gsl_test(first->holonomic.m > 0 && sb_holonomic_value(first, t, q[0], g, NULL) != SB_OK, "%s: g", problem);
        gsl_test(sb_norm_max(plain.holonomic.m, g) > 1e-13 * size * size, "%s: member %ld is on its constraints",
                 problem, k);
        again = member(f, problem, NULL, 5, k + 1);
        again->initial(again->self, &t, q[1], v[1]);
        gsl_test(memcmp(q[0], q[1], (size_t)plain.n * sizeof *q0) == 0, "%s: members %ld and %ld differ", problem, k,
                 k + 1);
        again = member(f, problem, NULL, 6, k);
        again->initial(again->self, &t, q[1], v[1]);
        gsl_test(memcmp(q[0], q[1], (size_t)plain.n * sizeof *q0) == 0, "%s: another seed moves it elsewhere", problem);
    }
}

int main(void) {
    fixture f;
    double q[64], v[64];
    fixture_init(&f);
    on_constraints(&f, "pendulum");
    on_constraints(&f, "dsp");
    on_constraints(&f, "heavy_top");
    on_constraints(&f, "kepler");
    on_constraints(&f, "rod_chain:n=4");
    for (long k = 0; k < 4; k++) { /* the energy does not depend on the coordinates */
        const double inner = energy(&f, member(&f, "dsp", NULL, 1, k), q, v),
                     chart = energy(&f, member(&f, "dsp", "chart", 1, k), q, v);
        gsl_test_rel(chart, inner, 1e-13, "energy of member %ld in a chart", k);
    }
    fixture_free(&f);
    return gsl_test_summary();
}
