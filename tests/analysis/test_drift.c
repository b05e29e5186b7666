/* The drift analysis on methods whose energy is known in closed form, and on those that keep theirs. */
#include <float.h>

#include "analysis/conservation/drift.h"
#include "tests/analysis/fixture.h"

static const sb_drift *find(const sb_drift *drifts, int count, const char *quantity) {
    for (int i = 0; i < count; i++) {
        if (strcmp(drifts[i].quantity, quantity) == 0) {
            return &drifts[i];
        }
    }
    gsl_test(1, "there is a quantity %s", quantity);
    return NULL;
}

static const sb_drift *measure(fixture *f, const char *problem, const char *stepper, double h, long steps,
                               const char *quantity) {
    const sb_pair pair = pair_of(f, problem, stepper);
    sb_drift *drifts;
    int count = 0;
    const int status = sb_drift_measure(&f->ctx, &f->arena, &pair, h, steps, 32, &drifts, &count);
    gsl_test(status != SB_OK, "%s on %s runs: %s", stepper, problem, status == SB_OK ? "it does" : f->ctx.message);
    return status == SB_OK ? find(drifts, count, quantity) : NULL;
}

/* rk4 multiplies the oscillator's energy (a norm its map scales) by its determinant each step. Over a loss so small
 * that it is linear the slope is E log(det)/h; the parabola's share is the relative loss. */
static void rk4_loses(fixture *f) {
    const double h = 0.1, t6 = pow(h, 6.0), rate = log(1.0 - t6 / 72.0 + t6 * h * h / 576.0) / h;
    const long steps = 20000;
    const double loss = -rate * h * (double)steps;
    const sb_drift *d = measure(f, "oscillator", "rk4", h, steps, "energy");
    if (d != NULL) {
        near(d->initial, 0.5, 0.0, "the initial energy");
        near(d->slope.value / (0.5 * rate), 1.0, loss, "rk4's energy falls at the rate of its determinant");
        near(d->max / (0.5 * loss), 1.0, loss, "and has lost as much at the end");
        gsl_test(d->verdict != SB_DRIFT_YES, "which is a drift");
    }
}

/* Verlet conserves p^2/2 + (1 - tau^2/4) x^2/2 (the invariant of its map), so that E - E(0) = (x^2 - x(0)^2) tau^2/8:
 * between -tau^2/8 and 0 from x = 1 at rest, -tau^2/16 on average. */
static void verlet_keeps(fixture *f) {
    const double h = 0.2, t2 = h * h;
    const sb_drift *d = measure(f, "oscillator", "verlet", h, 50000, "energy");
    if (d != NULL) {
        gsl_test(d->verdict != SB_DRIFT_NONE, "verlet's energy does not drift: %.2g +- %.2g", d->slope.value,
                 d->slope.se);
        near(d->max, t2 / 8.0, 1e-4 * t2,
             "its largest deviation is tau^2/8"); /* samples miss the peak by half a step in 50000 phases at most */
        near(d->rms, t2 / 8.0 * sqrt(3.0 / 8.0), 1e-3 * t2, "the root of the mean of sin^4 of it");
    }
}

static void verdicts(fixture *f) {
    static const struct {
        const char *problem, *stepper, *quantity;
        sb_drift_verdict verdict;
    } cases[] = {{"oscillator", "euler_explicit", "energy", SB_DRIFT_YES}, /* grows without bound */
                 {"oscillator", "euler_implicit", "energy", SB_DRIFT_YES}, /* dies */
                 {"oscillator:gamma=1e-6", "euler_explicit", "energy balance", SB_DRIFT_YES},
                 {"kepler", "verlet", "lrl_y", SB_DRIFT_YES}, /* the pericentre turns */
                 {"kepler", "rk4", "energy", SB_DRIFT_YES},
                 {"kepler", "euler_symplectic", "energy", SB_DRIFT_NONE},
                 {"kepler", "verlet", "energy", SB_DRIFT_NONE},
                 {"pendulum:theta0=2", "shake", "energy", SB_DRIFT_NONE},
                 {"pendulum:theta0=2", "rattle", "energy", SB_DRIFT_NONE}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const sb_pair pair = pair_of(f, cases[i].problem, cases[i].stepper);
        const sb_drift *d =
            measure(f, cases[i].problem, cases[i].stepper, pair.sys->time_scale / 10.0, 20000, cases[i].quantity);
        gsl_test(d == NULL || d->verdict != cases[i].verdict, "%s of %s on %s: %s", cases[i].quantity, cases[i].stepper,
                 cases[i].problem, d != NULL ? sb_drift_verdict_name[d->verdict] : "");
    }
    /* Conserved by construction: never a drift, and no more than round-off. */
    static const char *const kept[][3] = {{"dsp", "em", "energy"},
                                          {"dsp", "shake", "Jz"},
                                          {"rigid_body", "dvp", "energy"},
                                          {"rigid_body", "dvp", "Lz"},
                                          {"kepler", "verlet", "Jz"}};
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++) {
        const sb_pair pair = pair_of(f, kept[i][0], kept[i][1]);
        const sb_drift *d = measure(f, kept[i][0], kept[i][1], pair.sys->time_scale / 10.0, 20000, kept[i][2]);
        gsl_test(d == NULL || d->verdict == SB_DRIFT_YES || !(d->max <= d->rounding),
                 "%s keeps the %s of %s: %.2g of %.2g", kept[i][1], kept[i][2], kept[i][0], d != NULL ? d->max : NAN,
                 d != NULL ? d->rounding : NAN);
    }
}

/* A violation smaller than round-off bounds must not be explained away: rk4 on kepler at a tenth of the default step
 * still drifts. */
static void not_explained_away(fixture *f) {
    const sb_pair pair = pair_of(f, "kepler", "rk4");
    const sb_drift *d = measure(f, "kepler", "rk4", pair.sys->time_scale / 60.0, 50000, "energy");
    gsl_test(d == NULL || d->verdict != SB_DRIFT_YES || !(d->max > 3.0 * d->rounding),
             "a small drift stands out of round-off: %.2g, round-off %.2g", d != NULL ? d->max : NAN,
             d != NULL ? d->rounding : NAN);
}

/* Runs too short for the slope. Where the motion has turned, steps back show what goes one way, and what steps back
 * undo; a hundredth of a period of symplectic Euler goes one way, too. */
static void steps_back(fixture *f) {
    static const struct {
        const char *problem, *stepper;
        double per_scale;
        sb_drift_verdict verdict;
    } cases[] = {{"henon_heiles", "rk4", 10.0, SB_DRIFT_YES},
                 {"fput", "rk4", 10.0, SB_DRIFT_YES},
                 {"henon_heiles", "verlet", 10.0, SB_DRIFT_NONE},
                 {"fput", "verlet", 10.0, SB_DRIFT_NONE},
                 {"pendulum", "shake", 10.0, SB_DRIFT_NONE},
                 {"kepler", "euler_symplectic", 10.0, SB_DRIFT_UNCLEAR},
                 {"oscillator", "euler_symplectic", 1e4, SB_DRIFT_UNCLEAR},
                 {"oscillator", "verlet", 1e4, SB_DRIFT_UNCLEAR}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const sb_pair pair = pair_of(f, cases[i].problem, cases[i].stepper);
        const sb_drift *d =
            measure(f, cases[i].problem, cases[i].stepper, pair.sys->time_scale / cases[i].per_scale, 400, "energy");
        gsl_test(d == NULL || d->verdict != cases[i].verdict, "400 steps of %s on %s: %s", cases[i].stepper,
                 cases[i].problem, d != NULL ? sb_drift_verdict_name[d->verdict] : "");
    }
}

/* rk4 changes the oscillator's energy by det^(+-1) forth and back: what steps back do not undo is the whole change, but
 * for the square of the change of a step. */
static void irreversible(fixture *f) {
    const double h = 0.1, loss = pow(h, 6.0) / 72.0;
    const long steps = 1000;
    const sb_drift *d = measure(f, "oscillator", "rk4", h, steps, "energy");
    near(d->irreversible / (-0.5 * loss * (double)steps), 1.0, h * h / 8.0 + loss * (double)steps,
         "the irreversible change");
    gsl_test(!(fabs(measure(f, "oscillator", "verlet", h, steps, "energy")->irreversible) < 1e-14), "verlet has none");
}

/* Symplectic methods whose steps exceed the time scale at the pericentre, sqrt(r^3/mu), leave the orbit there: with
 * E(0) = -1/2 the run is unbound or on a much smaller orbit, although no energy drifts from then on. A tenth of these
 * steps resolves it. On the pendulum of energy 0 the terms vanish where it turns, and the oscillation does not. Methods
 * that gain or lose energy in small parts per step drift, however far they get. */
static void lost(fixture *f) {
    static const struct {
        const char *problem, *stepper;
        double h;
        long steps;
        sb_drift_verdict verdict;
    } cases[] = {{"kepler:e=0.99", "euler_symplectic", 5e-4, 60000, SB_DRIFT_LOST},
                 {"kepler:e=0.99", "verlet", 5e-4, 60000, SB_DRIFT_LOST},
                 {"kepler:e=0.99", "midpoint", 5e-4, 60000, SB_DRIFT_LOST},
                 {"kepler:e=0.99", "euler_symplectic", 5e-5, 600000, SB_DRIFT_NONE},
                 {"kepler:e=0.97,a=4,mu=2", "verlet", 0.02, 10000, SB_DRIFT_LOST},
                 {"kepler:e=0.97,a=4,mu=2", "verlet", 0.001, 200000, SB_DRIFT_NONE},
                 {"pendulum:theta0=1.5707963267948966", "rattle", 0.02, 20000, SB_DRIFT_NONE},
                 {"oscillator", "verlet", 1.0, 20000, SB_DRIFT_NONE},
                 {"oscillator", "euler_explicit", 0.1, 20000, SB_DRIFT_YES},
                 {"oscillator", "euler_implicit", 0.1, 20000, SB_DRIFT_YES}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const sb_drift *d = measure(f, cases[i].problem, cases[i].stepper, cases[i].h, cases[i].steps, "energy");
        gsl_test(d == NULL || d->verdict != cases[i].verdict || (d->verdict == SB_DRIFT_LOST && !isnan(d->decides)),
                 "%s on %s, h = %g: %s", cases[i].stepper, cases[i].problem, cases[i].h,
                 d != NULL ? sb_drift_verdict_name[d->verdict] : "");
    }
    const sb_drift *jz = measure(f, "kepler:e=0.99", "verlet", 5e-4, 60000, "Jz"),
                   *lrl = measure(f, "kepler:e=0.99", "verlet", 5e-4, 60000, "lrl_x");
    gsl_test(jz->verdict != SB_DRIFT_NONE, "a momentum within round-off is kept on the wrong orbit, too");
    gsl_test(lrl->verdict != SB_DRIFT_LOST, "and what is not kept there is lost with the energy");
}

/* Verlet, whose step at t = 100 multiplies the energy of an oscillator by `gain`: the deviation is 1 - 1/gain of the
 * terms from then on. Above a tenth the run is lost, and below it has another verdict. */
static double gain;
static const sb_stepper *verlet;

static int jumping(const sb_method *me, const sb_state *in, double h, sb_state *out) {
    SB_TRY(verlet->step(me, in, h, out));
    if (in->t < 100.0 && in->t + h >= 100.0) {
        out->q[0] *= sqrt(gain);
        out->v[0] *= sqrt(gain);
    }
    return SB_OK;
}

static void jumps(fixture *f) {
    static const double gains[] = {1.0, 1.08, 1.15, 1.2};
    sb_pair pair = pair_of(f, "oscillator", "verlet");
    sb_stepper altered = *pair.type;
    verlet = pair.type;
    altered.step = jumping;
    pair.type = &altered;
    for (int i = 0; i < 4; i++) {
        sb_drift *d;
        int count;
        gain = gains[i];
        gsl_test(sb_drift_measure(&f->ctx, &f->arena, &pair, 0.05, 4000, 32, &d, &count) != SB_OK, "a drift: %s",
                 f->ctx.message);
        gsl_test((d->verdict == SB_DRIFT_LOST) != (gain > 1.1), "a jump by a factor %g: %s", gain,
                 sb_drift_verdict_name[d->verdict]);
    }
}

/* On the circle of radius and speed 1 the components of the vector v x J - r/|r| are differences of two terms of size
 * 1: their round-off is that of the terms, 10 sqrt(steps) eps, and at most that of all products in them, 8 of size 1.
 */
static void rounding_of_zero(fixture *f) {
    const long steps = 10000;
    const double terms = 10.0 * sqrt((double)steps) * DBL_EPSILON;
    static const char *const zero[] = {"lrl_x", "lrl_y"};
    for (int i = 0; i < 2; i++) {
        const sb_drift *d = measure(f, "kepler:e=0", "verlet", 0.05, steps, zero[i]);
        gsl_test(!(d->rounding >= terms && d->rounding <= 8.0 * terms), "the round-off of %s: %.2g of %.2g", zero[i],
                 d->rounding, terms);
    }
}

/* A run of the length that is said to decide does so, with the same step. */
static void deciding_length(fixture *f) {
    static const struct {
        const char *problem, *stepper;
        double h;
        long steps;
    } cases[] = {{"pendulum:theta0=2", "rattle:tol=1e-3", 0.03, 150},
                 {"pendulum:theta0=3", "rattle:tol=1e-3", 0.02, 500},
                 {"kepler", "rk4", 0.02, 400},
                 {"spherical_pendulum", "midpoint:tol=1e-4", 0.03, 150}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const double h = cases[i].h;
        const sb_drift *d = measure(f, cases[i].problem, cases[i].stepper, h, cases[i].steps, "energy"), *longer;
        gsl_test(d->verdict != SB_DRIFT_UNCLEAR || !(d->decides < 1e6 * h), "%s, %ld steps: %s, and %.3g s decide",
                 cases[i].stepper, cases[i].steps, sb_drift_verdict_name[d->verdict], d->decides);
        near(d->decides / h, round(d->decides / h), 1e-6, "a whole number of steps");
        const long steps = d->decides < 1e6 * h ? lround(d->decides / h) : cases[i].steps;
        longer = measure(f, cases[i].problem, cases[i].stepper, h, steps, "energy");
        gsl_test(longer->verdict != SB_DRIFT_YES, "%s on %s drifts in %ld steps: %s", cases[i].stepper,
                 cases[i].problem, steps, sb_drift_verdict_name[longer->verdict]);
    }
}

static void refusals(fixture *f) {
    sb_table table;
    gsl_test_int(run_one(f, "drift", "h=0.1,t_end=5", "oscillator", "verlet", &table), SB_BAD_USAGE,
                 "too few steps for the batches");
    gsl_test(strstr(f->ctx.message, "batches") == NULL, "is said so: %s", f->ctx.message);
    gsl_test_int(run_one(f, "drift", "h=0.1,t_end=100.05", "oscillator", "verlet", &table), SB_BAD_USAGE,
                 "an end off the grid");
    rows(f, "drift", "h=0.2", "spherical_pendulum", "euler_explicit", &table); /* falls over */
    gsl_test(strstr(sb_table_text(&table, 0, "status"), "ended at step") == NULL, "a run that breaks off is a row: %s",
             sb_table_text(&table, 0, "status"));
    rows(f, "drift", "h=[0.1,0.05],t_end=50", "rigid_body", "dvp", &table);
    gsl_test(!(table.nrows == 2 * 5), "a row for every step and quantity: %d", table.nrows);
}

int main(void) {
    fixture f;
    fixture_init(&f);
    rk4_loses(&f);
    verlet_keeps(&f);
    verdicts(&f);
    not_explained_away(&f);
    steps_back(&f);
    irreversible(&f);
    lost(&f);
    jumps(&f);
    rounding_of_zero(&f);
    deciding_length(&f);
    refusals(&f);
    fixture_free(&f);
    return gsl_test_summary();
}
