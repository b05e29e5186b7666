/* Facts of mechanics at thirty digits: invariants, orders of convergence, closed forms, and the bounds of references.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <stepbench/numerics/dynamics.h>
#include <stepbench/numerics/norm.h>

#include "core/run/build.h"
#include "core/run/register.h"
#include "core/run/run.h"
#include "core/run/solution.h"
#include "integrators/register.h"
#include "problems/register.h"

static int failures;
static sb_context ctx;
static sb_arena arena;

static void check(bool good, const char *what, sb_scalar value) {
    if (!good) {
        printf("%s: %.4g (%s)\n", what, (double)value, ctx.message);
        failures++;
    }
}

typedef struct watch {
    const sb_system *sys;
    sb_dynamics dyn;
    sb_scalar energy0, energy; /* of the first state; largest change */
    sb_scalar *q, *v;          /* of the last state */
} watch;

static int observe(void *arg, const sb_sample *sample) {
    watch *w = arg;
    sb_scalar kinetic, potential;
    SB_TRY(sb_dynamics_energy(&w->dyn, 0.0, sample->q, sample->v, &kinetic, &potential));
    w->energy0 = sample->step == 0 ? kinetic + potential : w->energy0;
    w->energy = sb_larger(w->energy, fabs(kinetic + potential - w->energy0));
    memcpy(w->q, sample->q, (size_t)w->sys->n * sizeof *w->q);
    memcpy(w->v, sample->v, (size_t)w->sys->n * sizeof *w->v);
    return SB_OK;
}

/* Runs a stepper for `steps` steps; returns the largest distance of q and v from the exact solution at the end, or the
 * largest change of the energy. */
static sb_scalar run(const char *problem, const char *stepper, sb_scalar t_end, long steps, bool energy) {
    sb_system sys;
    sb_method method;
    watch w = {.sys = &sys};
    sb_scalar *q, *v, error = 0.0;
    sb_run r = {.h = t_end / (sb_scalar)steps, .steps = steps, .every = 1};
    if (sb_system_build(&ctx, &arena, problem, 0, NULL, &sys) != SB_OK ||
        sb_method_build(&ctx, &arena, stepper, &sys, &method) != SB_OK ||
        sb_dynamics_init(&ctx, &arena, &sys, &w.dyn) != SB_OK ||
        SB_VECTORS(&arena, sys.n, &w.q, &w.v, &q, &v) != SB_OK || sb_run_method(&method, &r, observe, &w) != SB_OK) {
        return NAN;
    }
    if (energy) {
        return w.energy;
    }
    if (sys.exact(sys.self, t_end, q, v, NULL) != SB_OK) {
        return NAN;
    }
    for (int i = 0; i < sys.n; i++) {
        error = sb_larger(error, sb_larger(fabs(w.q[i] - q[i]), fabs(w.v[i] - v[i])));
    }
    return error;
}

/* Round-off of some tens of steps with energies of some tens. */
static void energies(void) {
    static const char *const pairs[][2] = {{"oscillator", "midpoint"}, {"dsp", "em"}, {"kepler", "em"}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        const sb_scalar change = run(pairs[i][0], pairs[i][1], 1.0, 50, true);
        check(change < 1e-30, pairs[i][0], change);
    }
}

/* Two-sided: the slope over halved steps is the order, to the next term of the expansion, and the smallest error is
 * far below what doubles show. */
static void order(const char *problem, const char *stepper, sb_scalar t_end, long steps, int halvings, double claimed,
                  double smallest) {
    sb_scalar before = NAN, error = NAN, slope = NAN;
    for (int k = 0; k <= halvings; k++) {
        before = error;
        error = run(problem, stepper, t_end, steps << k, false);
        slope = log(before / error) / log((sb_scalar)2.0);
    }
    check(fabs(slope - claimed) < 0.1, stepper, slope);
    check(error < smallest, stepper, error);
}

/* The bound that `reference` writes holds against the exact solution, and is small. */
static void reference(const char *problem, const char *t_end) {
    char file[256], command[1024];
    sb_system sys;
    sb_solution s;
    sb_scalar *q, *v, error = 0.0, error_v = 0.0;
    snprintf(file, sizeof file, "/tmp/quad_reference_%s_%ld.json", problem, (long)getpid());
    snprintf(command, sizeof command, "%s reference %s --t-end %s --samples 3 -o '%s'", STEPBENCH_QUAD, problem, t_end,
             file);
    check(system(command) == 0, command, 0.0);
    if (sb_system_build(&ctx, &arena, problem, 0, NULL, &sys) != SB_OK || SB_VECTORS(&arena, sys.n, &q, &v) != SB_OK ||
        sb_solution_read(&ctx, &arena, problem, &sys, file, &s) != SB_OK) {
        check(false, problem, NAN);
        return;
    }
    for (long j = 0; j <= s.count; j++) {
        sb_scalar sum_q = 0.0, sum_v = 0.0;
        sys.exact(sys.self, s.t0 + (sb_scalar)j * s.dt, q, v, NULL);
        for (int i = 0; i < s.n; i++) {
            sum_q += (q[i] - s.q[j * s.n + i]) * (q[i] - s.q[j * s.n + i]);
            sum_v += (v[i] - s.v[j * s.n + i]) * (v[i] - s.v[j * s.n + i]);
        }
        error = sb_larger(error, sqrt(sum_q));
        error_v = sb_larger(error_v, sqrt(sum_v));
    }
    check(error <= s.bound[SB_SOLUTION_Q], "error of q against its bound", error);
    check(error_v <= s.bound[SB_SOLUTION_V], "error of v against its bound", error_v);
    check(s.bound[SB_SOLUTION_Q] < 1e-19 && s.bound[SB_SOLUTION_V] < 1e-19, "bound", s.bound[SB_SOLUTION_V]);
    check(sb_solution_read(&ctx, &arena, strcmp(problem, "kepler") == 0 ? "kepler:e=0.3" : "kepler", &sys, file, &s) ==
              SB_BAD_USAGE,
          "a reference of other parameters", 0.0);
    remove(file);
}

int main(void) {
    sb_registry registry;
    sb_context_init(&ctx);
    sb_arena_init(&arena, &ctx);
    if (sb_registry_init(&registry, &ctx) != SB_OK || sb_register_numerics(&registry) != SB_OK ||
        sb_register_steppers(&registry) != SB_OK || sb_register_problems(&registry) != SB_OK) {
        return EXIT_FAILURE;
    }
    energies();
    order("kepler", "verlet", 1.0, 100, 2, 2.0, 1e-3);
    order("kepler", "gauss:stages=6", 1.0, 20, 3, 12.0, 1e-28);
    order("pendulum", "kahan_li8(rattle)", SB_R(0.5), 160, 2, 8.0, 1e-21);
    order("rigid_body", "kahan_li8(dvp)", SB_R(0.5), 80, 2, 8.0, 1e-16);
    reference("oscillator", "2");
    reference("pendulum", "1");
    reference("kepler", "1");
    sb_arena_free(&arena);
    sb_registry_free(&registry);
    return failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
