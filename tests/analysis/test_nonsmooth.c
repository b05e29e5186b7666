/* Errors of motions with impacts, on motions whose errors are known: the bouncing ball come late. */
#include <stepbench/numerics/dynamics.h>

#include "analysis/accuracy/nonsmooth.h"
#include "analysis/accuracy/order.h"
#include "tests/analysis/fixture.h"

/* The exact motion `late` seconds late (before that, at the start), on count samples of dt. */
static void delayed(fixture *f, const sb_pair *pair, double dt, long count, double late, sb_reference *out) {
    gsl_test(sb_reference_make(&f->ctx, &f->arena, "exact", pair, dt, count, dt, out) != SB_OK, "a reference");
    sb_dynamics dyn;
    int status = sb_dynamics_init(&f->ctx, &f->arena, pair->sys, &dyn);
    for (long k = 0; k < count; k++) {
        double T, V;
        status |=
            pair->sys->exact(pair->sys->self, fmax(0.0, (double)(k + 1) * dt - late), out->q + k, out->v + k, NULL);
        status |= sb_dynamics_energy(&dyn, 0.0, out->q + k, out->v + k, &T, &V);
        out->energy[k] = T + V;
    }
    gsl_test(status != SB_OK, "a late ball");
}

/* A ball let go at 1 m with e = 1/2: impacts at t1, 2 t1, 2.5 t1, with speeds u, u/2, u/4. Late by d the mean of |v -
 * v'| is g d but for intervals of length d after each impact, where it is the jump; of the energy, the jump of m u^2/2
 * (1 - e^2) in these. The graphs are the same one moved along t by d: they are d apart at the jumps, which are upright,
 * and nearer elsewhere. */
static void late(fixture *f) {
    const double g = 9.81, e = 0.5, u = sqrt(2.0 * g), t1 = u / g, d = 0.01 * t1, T = 2.4 * t1;
    const long count = 24000;
    const sb_pair pair = pair_of(f, "bouncing_ball:e=0.5", "verlet");
    sb_reference ref, run;
    double error[SB_ERR_COUNT];
    delayed(f, &pair, T / (double)count, count, 0.0, &ref);
    delayed(f, &pair, T / (double)count, count, d, &run);
    gsl_test(sb_nonsmooth_errors(&f->arena, pair.sys, &run, &ref, 0.2 * t1, error) != SB_OK, "errors");
    /* A sample is late by 1/100 of d at most, which is what the jumps are off by; products of d with itself are 1/100
     * of d. */
    const double jumps = u * (1.0 + e) * (1.0 + e), near_by = 0.02;
    near(error[SB_ERR_IMPACT], d, 1e-3 * d, "impacts are late by d");
    /* Their ends, of which one has no counterpart, a little farther. */
    near(error[SB_ERR_GRAPH], d / pair.sys->time_scale, 0.05 * d / t1, "graphs are d apart, in time scales");
    near(error[SB_ERR_V] * T, d * (g * T + jumps), near_by * d * (g * T + jumps), "the mean error of the velocity");
    near(error[SB_ERR_ENERGY] * T, d * 0.5 * u * u * (1.0 - e * e) * (1.0 + e * e), near_by * d * 10.0,
         "the mean error of the energy");
    /* |q - q'| is d |v| to first order: the way gone. */
    near(error[SB_ERR_Q] * T, d * (1.0 + 0.5 + (1.0 + 0.36) / 16.0), 0.05 * d, "the mean error of the position");
    gsl_test(!isnan(error[SB_ERR_LAMBDA]), "no error of impulses");
    /* A dent in a slow fall, a hundredth of the first flight behind its highest point, is no impact: it closes far
     * slower than those that count. */
    run.q[15200] -= 1e-5;
    gsl_test(sb_nonsmooth_errors(&f->arena, pair.sys, &run, &ref, 0.2 * t1, error) != SB_OK, "errors");
    near(error[SB_ERR_IMPACT], d, 1e-3 * d, "a dent changes nothing");
    run.q[15200] += 1e-5;
    /* Every second impact closer than what counts. */
    gsl_test(sb_nonsmooth_errors(&f->arena, pair.sys, &run, &ref, 3.0 * t1, error) != SB_OK ||
                 !isnan(error[SB_ERR_IMPACT]),
             "impacts too close count for nothing");
}

/* A run that stops before its third impact: the error of that impact's time is none at all, not a small one. */
static void lost(fixture *f) {
    const double t1 = sqrt(2.0 / 9.81);
    const long count = 2400;
    const sb_pair pair = pair_of(f, "bouncing_ball:e=0.5", "verlet");
    sb_reference ref, run;
    double error[SB_ERR_COUNT];
    delayed(f, &pair, 2.4 * t1 / (double)count, count, 0.0, &ref);
    delayed(f, &pair, 2.4 * t1 / (double)count, count, 0.0, &run);
    for (long k = 1200; k < count; k++) { /* after the first impact, rising on and on */
        run.q[k] = run.q[1199] + 1e-3 * (double)(k - 1199);
    }
    gsl_test(sb_nonsmooth_errors(&f->arena, pair.sys, &run, &ref, 0.2 * t1, error) != SB_OK ||
                 !isnan(error[SB_ERR_IMPACT]),
             "an impact that is lost is not on time: %g", error[SB_ERR_IMPACT]);
}

/* A run on coarse samples of its own is interpolated: of a parabola the straight lines are off by g h^2/12 in the mean.
 */
static void interpolated(fixture *f) {
    const sb_pair pair = pair_of(f, "bouncing_ball:y0=100,g=1", "verlet");
    sb_reference ref, run;
    double error[SB_ERR_COUNT];
    const double h = 0.5;
    delayed(f, &pair, h / 64.0, 64 * 20, 0.0, &ref);
    delayed(f, &pair, h, 20, 0.0, &run);
    gsl_test(sb_nonsmooth_errors(&f->arena, pair.sys, &run, &ref, 1.0, error) != SB_OK, "errors");
    near(error[SB_ERR_Q], h * h / 12.0, 1e-3 * h * h / 12.0, "the mean of a parabola's distance from its chords");
    near(error[SB_ERR_V], 0.0, 1e-12, "the velocity is straight");
    gsl_test(!isnan(error[SB_ERR_IMPACT]), "no impact, no error of its time");
    /* The kink between coarse samples is found from the lines before and after it, off by their curvature: g (3 h/2)^2
     * over the speed's jump. */
    const sb_pair low = pair_of(f, "bouncing_ball", "verlet");
    delayed(f, &low, 0.01 / 64.0, 64 * 100, 0.0, &ref);
    delayed(f, &low, 0.01, 100, 0.0, &run);
    gsl_test(sb_nonsmooth_errors(&f->arena, low.sys, &run, &ref, 0.05, error) != SB_OK, "errors");
    near(error[SB_ERR_IMPACT], 0.0, 9.81 * 0.015 * 0.015 / (1.7 * sqrt(2.0 * 9.81)), "impacts between samples");
}

/* Off by the same at every sample but the first, where both begin: the trapezoidal mean of ten intervals is 1 - 1/20 of
 * it, whatever it is of. */
static void constant(fixture *f) {
    enum { COUNT = 10 };
    const sb_pair pair = pair_of(f, "bouncing_ball:y0=100,g=1", "verlet");
    sb_reference ref, run;
    double error[SB_ERR_COUNT];
    delayed(f, &pair, 0.1, COUNT, 0.0, &ref);
    delayed(f, &pair, 0.1, COUNT, 0.0, &run);
    for (int k = 0; k < COUNT; k++) {
        run.q[k] += 0.2;
        run.v[k] -= 0.4;
        run.energy[k] += 0.8;
    }
    gsl_test(sb_nonsmooth_errors(&f->arena, pair.sys, &run, &ref, 1.0, error) != SB_OK, "errors");
    near(error[SB_ERR_Q], 0.19, 1e-12, "a constant error of the position");
    near(error[SB_ERR_V], 0.38, 1e-12, "of the velocity");
    near(error[SB_ERR_ENERGY], 0.76, 1e-12, "of the energy");
}

/* A spike that one graph has and the other has not: its tip is far from the other graph, of which no point is far from
 * the spike's foot. */
static void spike(fixture *f) {
    const sb_pair pair = pair_of(f, "bouncing_ball:y0=100,v0=1,g=1e-6", "verlet"); /* all but constant velocity */
    for (int on_run = 0; on_run < 2; on_run++) {
        sb_reference ref, run;
        double error[SB_ERR_COUNT];
        delayed(f, &pair, 0.01, 100, 0.0, &ref);
        delayed(f, &pair, 0.01, 100, 0.0, &run);
        (on_run ? &run : &ref)->v[50] += 0.25;
        gsl_test(sb_nonsmooth_errors(&f->arena, pair.sys, &run, &ref, 1.0, error) != SB_OK, "errors");
        near(error[SB_ERR_GRAPH], 0.25 / ref.size_v, 1e-4,
             on_run ? "the height of a spike of the run" : "and of one of the reference");
    }
}

/* Two spikes at the same time, of which one is twice as high: its tip is as far from the other's tip, for the lines of
 * a spike end there. */
static void two_spikes(fixture *f) {
    const sb_pair pair = pair_of(f, "bouncing_ball:y0=100,v0=1,g=1e-6", "verlet");
    sb_reference ref, run;
    double error[SB_ERR_COUNT];
    delayed(f, &pair, 0.01, 100, 0.0, &ref);
    delayed(f, &pair, 0.01, 100, 0.0, &run);
    ref.v[50] += 0.25;
    run.v[50] += 0.5;
    gsl_test(sb_nonsmooth_errors(&f->arena, pair.sys, &run, &ref, 1.0, error) != SB_OK, "errors");
    near(error[SB_ERR_GRAPH], 0.25 / ref.size_v, 1e-4, "the height of one spike over the other");
}

/* The same jump a tenth of a second later, in a system whose time scale is 2 s: the graphs are 0.05 apart, a twentieth
 * of the jump. */
static void shifted(fixture *f) {
    const sb_pair pair = pair_of(f, "bouncing_ball:y0=100,v0=1,g=1e-6", "verlet");
    sb_system slow = *pair.sys;
    sb_reference ref, run;
    double error[SB_ERR_COUNT];
    slow.time_scale = 2.0;
    delayed(f, &pair, 0.01, 100, 0.0, &ref);
    delayed(f, &pair, 0.01, 100, 0.0, &run);
    for (int k = 0; k < 100; k++) {
        ref.v[k] += k < 50 ? 0.0 : ref.size_v;
        run.v[k] += k < 60 ? 0.0 : ref.size_v;
    }
    gsl_test(sb_nonsmooth_errors(&f->arena, &slow, &run, &ref, 1.0, error) != SB_OK, "errors");
    near(error[SB_ERR_GRAPH], 0.05, 1e-4, "graphs apart in time, in time scales");
}

static void refused(fixture *f) {
    sb_reference ref;
    const sb_pair pair = pair_of(f, "bouncing_ball", "verlet");
    gsl_test(sb_reference_make(&f->ctx, &f->arena, "gsl", &pair, 0.1, 4, 0.1, &ref) != SB_UNSUPPORTED ||
                 strstr(f->ctx.message, "reference=exact") == NULL,
             "no reference by GSL for impacts: %s", f->ctx.message);
}

int main(void) {
    fixture f;
    fixture_init(&f);
    late(&f);
    interpolated(&f);
    lost(&f);
    constant(&f);
    spike(&f);
    two_spikes(&f);
    shifted(&f);
    refused(&f);
    fixture_free(&f);
    return gsl_test_summary();
}
