/* The verdicts of analyses on methods that miss a property by a known amount, on either side of what the analysis
 * calls round-off or chance. */
#include "analysis/accuracy/reference.h"
#include "analysis/conservation/drift.h"
#include "analysis/conservation/properties.h"
#include "tests/analysis/fixture.h"

/* What the altered methods below are off by, and the method they alter. */
static double off;
static const sb_stepper *original;

/* ---- Constraints: a pendulum of unit length, so that |g| is the distance from the circle. ---- */

static int off_circle(const sb_method *me, const sb_state *in, double h, sb_state *out) {
    SB_TRY(original->step(me, in, h, out));
    out->q[0] *= 1.0 + off;
    out->q[1] *= 1.0 + off;
    return SB_OK;
}

static int off_tangent(const sb_method *me, const sb_state *in, const sb_state *next, double *v, double *lambda) {
    (void)me;
    (void)next;
    for (int i = 0; v != NULL && i < 2; i++) {
        v[i] = in->v[i] + off * in->q[i];
    }
    if (lambda != NULL) {
        lambda[0] = in->lambda[0];
    }
    return SB_OK;
}

/* Round-off is a few 1e-16; what is off by 1e-13 is kept no more. */
static void constraints(fixture *f) {
    sb_pair pair = pair_of(f, "pendulum:constraint=norm,theta0=1", "rattle");
    sb_stepper altered = *pair.type;
    original = pair.type;
    pair.type = &altered;
    for (int k = 0; k < 3; k++) {
        sb_constraint_residuals r;
        off = 1e-13;
        altered.step = k == 1 ? off_circle : original->step;
        altered.report = k == 2 ? off_tangent : original->report;
        gsl_test(sb_constraint_residuals_measure(&f->ctx, &f->arena, &pair, 0.01, 100, &r) != SB_OK, "constraints: %s",
                 f->ctx.message);
        gsl_test(r.position != (k != 1), "position kept to 1e-13 is not kept to round-off: case %d, %.2g", k,
                 r.relative_g);
        gsl_test(r.tangency != (k != 2), "tangency kept to 1e-13 is not kept to round-off: case %d, %.2g", k,
                 r.relative_gv);
    }
}

/* ---- Symplecticity: x'' = -x, whose form shrinks by 1 - off in each step. ---- */

static int shrinking_momentum(const sb_method *me, const sb_state *in, double *p) {
    (void)me;
    p[0] = in->v[0] * (1.0 - off * in->t);
    return SB_OK;
}

/* A change of the form by 1e-9 stands clear of a noise below 1e-11; none of it is left at 1e-14. */
static void symplecticity(fixture *f) {
    sb_pair pair = pair_of(f, "oscillator", "verlet");
    sb_stepper altered = *pair.type;
    altered.momentum = shrinking_momentum;
    pair.type = &altered;
    for (int k = 0; k < 2; k++) {
        sb_symplecticity s;
        off = k == 0 ? 1e-9 : 1e-14;
        gsl_test(sb_symplecticity_measure(&f->ctx, &f->arena, &pair, 0.1, 10, &s) != SB_OK, "symplecticity: %s",
                 f->ctx.message);
        gsl_test(s.symplectic != (k == 1 ? SB_YES : SB_NO) || !(s.noise < 1e-11),
                 "a form that shrinks by %.0e: defect %.2g, noise %.2g", off, s.defect, s.noise);
        gsl_test(k == 0 && !(fabs(s.defect - off) <= 1e-2 * off), "the defect is the shrinkage: %.3g", s.defect);
    }
}

/* ---- Momentum and reversibility: a particle on a line whose velocity or position gains `off` in each step. ---- */

static int gaining_speed(const sb_method *me, const sb_state *in, double h, sb_state *out) {
    SB_TRY(original->step(me, in, h, out));
    out->v[0] += off;
    return SB_OK;
}

static int gaining_way(const sb_method *me, const sb_state *in, double h, sb_state *out) {
    SB_TRY(original->step(me, in, h, out));
    out->q[0] += off;
    return SB_OK;
}

/* A velocity off after the last step back alone. */
static int missing_speed(const sb_method *me, const sb_state *in, double h, sb_state *out) {
    SB_TRY(original->step(me, in, h, out));
    out->v[0] += h < 0.0 && in->t + 1.5 * h < 0.0 ? off : 0.0;
    return SB_OK;
}

/* Twenty steps gain 2e-9. */
static void particle(fixture *f) {
    sb_pair pair = pair_of(f, "plane", "rattle");
    sb_stepper altered = *pair.type;
    original = pair.type;
    pair.type = &altered;
    for (int k = 0; k < 4; k++) {
        sb_momentum *m;
        sb_reversibility r;
        int count = 0;
        off = 1e-10;
        altered.step = k == 0 ? original->step : k == 1 ? gaining_speed : k == 2 ? gaining_way : missing_speed;
        gsl_test(sb_momentum_measure(&f->ctx, &f->arena, &pair, SB_START_LEGENDRE, 0.05, 20, &m, &count) != SB_OK ||
                     count != 1 || sb_reversibility_measure(&f->ctx, &f->arena, &pair, 0.05, 10, &r) != SB_OK,
                 "a particle: %s", f->ctx.message);
        gsl_test(m[0].conserved != (k != 1 ? SB_YES : SB_NO),
                 "momentum conserved but for %.2g, round-off %.2g: case %d", m[0].discrete_deviation, m[0].rounding, k);
        gsl_test(r.reverses != (k == 0 ? SB_YES : SB_NO), "reversed but for %.2g and %.2g, round-off %.2g: case %d",
                 r.q, r.v, r.rounding, k);
    }
}

/* ---- The error of a reference: that of its run, in the norms of the errors, where the exact solution is known. ----
 */

static void reference(fixture *f) {
    const sb_pair pair = pair_of(f, "oscillator", "verlet");
    sb_reference finest, exact;
    double error[SB_ERR_COUNT];
    gsl_test(sb_reference_make(&f->ctx, &f->arena, "finest", &pair, 0.5, 20, 0.025, &finest) != SB_OK ||
                 sb_reference_make(&f->ctx, &f->arena, "exact", &pair, 0.5, 20, 0.025, &exact) != SB_OK,
             "references: %s", f->ctx.message);
    sb_reference_errors(&finest, &exact, error);
    for (int k = 0; k < 2; k++) { /* the next term of the error is (omega h)^2 of it */
        near(finest.floor[k] / error[k], 1.0, 0.01, "the floor of a reference over its error");
    }
}

/* ---- Drift: an oscillation whose energy is a line with noise. ---- */

enum { STEPS = 20000, BATCHES = 32 };
static const double h_drift = 0.1;

/* Numbers in (-1, 1) that look random: the fractional parts of the squares of sqrt(2) k. */
static double noise(long k) {
    const double x = sqrt(2.0) * (double)k * sqrt(3.0) * (double)k;
    return 2.0 * (x - floor(x)) - 1.0;
}

static double scripted_energy(long k) {
    return 0.5 + (k == 0 || k == STEPS ? 0.0 : 0.01 * noise(k)) + off * h_drift * (double)k;
}

/* The irreversible change of the energy up to step k: `net` at the end, a slow swing, and `rough` times the noise. */
static double net, swing, rough;

static double irreversible(long k) {
    const double x = (double)k / STEPS;
    return net * (x + swing * sin(2.0 * M_PI * x) / (2.0 * M_PI)) +
           (k == 0 || k == STEPS ? 0.0 : 0.01 * rough * noise(k));
}

static int scripted(const sb_method *me, const sb_state *in, double h, sb_state *out) {
    (void)me;
    const long k = lround(in->t / h_drift) + (h > 0.0 ? 1 : -1);
    const double both = 2.0 * (irreversible(k + 1) - irreversible(k)), /* by a step and a step back to k */
        amplitude = sqrt(2.0 * (scripted_energy(k) + (h > 0.0 ? 0.0 : both))), t = (double)k * h_drift;
    out->q[0] = amplitude * cos(t);
    out->v[0] = -amplitude * sin(t);
    return SB_OK;
}

static sb_drift scripted_drift(fixture *f, const sb_pair *pair) {
    sb_drift *d = NULL;
    int count = 0;
    gsl_test(sb_drift_measure(&f->ctx, &f->arena, pair, h_drift, STEPS, BATCHES, &d, &count) != SB_OK || count < 1,
             "drift: %s", f->ctx.message);
    return d[0];
}

/* The fit is linear in the series, so that a line added to it moves the slope by its own and leaves the scatter: two
 * standard errors are chance, seven a drift, and four are either. */
static void drift(fixture *f) {
    sb_pair pair = pair_of(f, "oscillator", "euler_explicit");
    sb_stepper altered = *pair.type;
    altered.step = scripted;
    pair.type = &altered;
    off = net = swing = rough = 0.0;
    const sb_slope chance = scripted_drift(f, &pair).slope;
    static const struct {
        double z;
        sb_drift_verdict verdict;
    } cases[] = {{-7.0, SB_DRIFT_YES}, {-4.0, SB_DRIFT_UNCLEAR}, {-2.0, SB_DRIFT_NONE},
                 {2.0, SB_DRIFT_NONE}, {4.0, SB_DRIFT_UNCLEAR},  {7.0, SB_DRIFT_YES}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        off = cases[i].z * chance.se - chance.value;
        const sb_drift d = scripted_drift(f, &pair);
        near(d.slope.value / d.slope.se, cases[i].z, 0.2, "the slope in standard errors");
        gsl_test(d.verdict != cases[i].verdict, "a slope of %.0f standard errors: %s", cases[i].z,
                 sb_drift_verdict_name[d.verdict]);
        const double least = h_drift * STEPS; /* twice it at most, up to a round number of steps; `unclear` alone */
        gsl_test(cases[i].verdict == SB_DRIFT_UNCLEAR ? !(d.decides > least && d.decides < 5.0 * least)
                                                      : !isnan(d.decides),
                 "a run of %.3g s decides", d.decides);
    }
    /* Four standard errors, and steps back. The mean of |1 + s cos| is (2/pi) (sqrt(s^2 - 1) + asin(1/s)): 1/0.75 and
     * 1/0.65 for these two swings, which hide the line from the fit. */
    static const struct {
        double swing, follows; /* change of the energy over the irreversible one */
        sb_drift_verdict verdict;
    } one_way[] = {{1.81, 1.0, SB_DRIFT_YES},     {2.18, 1.0, SB_DRIFT_UNCLEAR}, {0.0, 0.55, SB_DRIFT_YES},
                   {0.0, 0.45, SB_DRIFT_UNCLEAR}, {0.0, 1.45, SB_DRIFT_YES},     {0.0, 1.55, SB_DRIFT_UNCLEAR},
                   {0.0, -1.0, SB_DRIFT_UNCLEAR}};
    off = 4.0 * chance.se - chance.value;
    for (size_t i = 0; i < sizeof one_way / sizeof *one_way; i++) {
        swing = one_way[i].swing;
        net = off * h_drift * STEPS / one_way[i].follows;
        const sb_drift d = scripted_drift(f, &pair);
        near(d.irreversible / net, 1.0, 1e-6, "the irreversible change"); /* round-off of 20000 steps */
        gsl_test(d.verdict != one_way[i].verdict, "a swing of %.2f, and %.2f of the irreversible change: %s",
                 one_way[i].swing, one_way[i].follows, sb_drift_verdict_name[d.verdict]);
    }
    /* Irreversible changes in both directions, by noise, with a line of `line` standard errors of the energy's slope
     * and `own` of its own. */
    static const struct {
        double z, line, own;
        sb_drift_verdict verdict;
    } secular[] = {{4.0, 4.0, 5.5, SB_DRIFT_YES},      {4.0, 4.0, 4.5, SB_DRIFT_UNCLEAR},
                   {4.0, 7.8, 20.0, SB_DRIFT_YES},     {4.0, 8.2, 20.0, SB_DRIFT_UNCLEAR},
                   {2.0, 2.0, 3.5, SB_DRIFT_UNCLEAR},  {2.0, 2.0, 2.5, SB_DRIFT_NONE},
                   {2.0, -0.9, 4.0, SB_DRIFT_UNCLEAR}, {2.0, -1.1, 4.0, SB_DRIFT_NONE}};
    swing = 0.0;
    for (size_t i = 0; i < sizeof secular / sizeof *secular; i++) {
        off = secular[i].z * chance.se - chance.value;
        rough = fabs(secular[i].line / secular[i].own);
        net = (secular[i].line * chance.se - rough * chance.value) * h_drift * STEPS;
        const sb_drift d = scripted_drift(f, &pair);
        gsl_test(d.verdict != secular[i].verdict, "slopes of %.1f and %.1f standard errors, %.1f of its own: %s",
                 secular[i].z, secular[i].line, secular[i].own, sb_drift_verdict_name[d.verdict]);
    }
}

/* ---- Drift: Verlet whose steps back gain speed, in a run that its slope leaves unclear. ---- */

static int gaining_back(const sb_method *me, const sb_state *in, double h, sb_state *out) {
    SB_TRY(original->step(me, in, h, out));
    out->v[0] *= h < 0.0 ? 1.0 + off : 1.0;
    return SB_OK;
}

static void reversible(fixture *f) {
    sb_pair pair = pair_of(f, "kepler", "verlet");
    sb_stepper altered = *pair.type;
    const double h = pair.sys->time_scale / 10.0;
    double visible = 0.0, gain = 0.0;
    original = pair.type;
    altered.step = gaining_back;
    pair.type = &altered;
    static const double times[] = {0.0, 1e-3, 0.8, 1.25}; /* of what is visible; the second measures the effect */
    for (int k = 0; k < 4; k++) {
        sb_drift *d;
        int count = 0;
        off = k < 2 ? 1e-9 * k : times[k] * visible / gain;
        gsl_test(sb_drift_measure(&f->ctx, &f->arena, &pair, h, 500, BATCHES, &d, &count) != SB_OK, "drift: %s",
                 f->ctx.message);
        visible = 0.01 * 0.1 * d->rms;
        gain = k == 1 ? d->irreversible / off : gain;
        gsl_test(d->verdict != (times[k] < 1.0 ? SB_DRIFT_NONE : SB_DRIFT_UNCLEAR), "%.2g of what is visible: %s",
                 times[k], sb_drift_verdict_name[d->verdict]);
    }
}

int main(void) {
    fixture f;
    fixture_init(&f);
    constraints(&f);
    symplecticity(&f);
    particle(&f);
    reference(&f);
    drift(&f);
    reversible(&f);
    fixture_free(&f);
    return gsl_test_summary();
}
