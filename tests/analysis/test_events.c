/* Dense output, events and the periods that they measure: against exact solutions, elliptic integrals, the discrete
 * frequencies of linear methods and the straight orbits of Henon and Heiles. */
#include <stdio.h>

#include <gsl/gsl_fit.h>
#include <gsl/gsl_poly.h>
#include <gsl/gsl_sf_ellint.h>

#include <stepbench/numerics/norm.h>

#include "analysis/accuracy/fit.h"
#include "analysis/accuracy/order.h"
#include "analysis/events.h"
#include "tests/analysis/fixture.h"

/* ---- Dense output. ---- */

/* The largest errors of q and v between exact states that are h apart. */
static void interpolate(const sb_system *sys, sb_dense *dense, double t, double h, double *error) {
    double q[2][4], v[2][4], x[4], y[4];
    error[0] = error[1] = 0.0;
    for (int k = 0; k < 2; k++) {
        gsl_test(sys->exact(sys->self, t + k * h, q[k], v[k], NULL) != SB_OK, "an exact state of %s", sys->name);
    }
    gsl_test(sb_dense_set(dense, t, q[0], v[0], t + h, q[1], v[1]) != SB_OK, "dense output on %s", sys->name);
    for (int j = 0; j <= 16; j++) {
        const double theta = j / 16.0;
        sb_dense_at(dense, theta, x, y);
        gsl_test(sys->exact(sys->self, t + theta * h, q[0], v[0], NULL) != SB_OK, "an exact state of %s", sys->name);
        for (int i = 0; i < sys->n; i++) {
            error[0] = sb_larger(error[0], fabs(x[i] - q[0][i]));
            error[1] = sb_larger(error[1], fabs(y[i] - v[0][i]));
        }
    }
}

/* Slopes between steps of a 16th and a 32nd of the time scale change by h/T, 0.06, times the next derivative. */
static void dense_orders(fixture *f) {
    static const struct {
        const char *problem;
        bool contacts; /* the system says that it has one, so that there is no acceleration */
        double q, v;
    } cases[] = {{"kepler", false, 6.0, 5.0}, {"pendulum", false, 6.0, 5.0}, {"kepler", true, 4.0, 3.0}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const sb_pair pair = pair_of(f, cases[k].problem, "rattle");
        const double h = pair.sys->time_scale / 16.0, t = 2.0 * pair.sys->time_scale;
        sb_system sys = *pair.sys;
        sb_dense dense;
        double one[2], two[2];
        gsl_test(sb_dense_init(&f->ctx, &f->arena, pair.sys, &dense) != SB_OK, "dense output");
        sys.contact.m = cases[k].contacts;
        dense.sys = &sys;
        interpolate(&sys, &dense, t, h, one);
        interpolate(&sys, &dense, t, 0.5 * h, two);
        near(log2(one[0] / two[0]), cases[k].q, 0.2, "order of q between states");
        near(log2(one[1] / two[1]), cases[k].v, 0.2, "order of v between states");
    }
}

/* ---- Events. ---- */

enum { EVENTS = 64 };

typedef struct series {
    sb_events events;
    int count;
    double t[EVENTS], q[EVENTS][2], v[EVENTS][2];
    double end[2]; /* the first coordinate and velocity of the last state */
} series;

static int record(void *arg, const sb_event_state *at) {
    series *w = arg;
    if (w->count < EVENTS) {
        const int n = w->events.event.sys->n;
        w->t[w->count] = at->t;
        memcpy(w->q[w->count], at->q, (size_t)n * sizeof(double));
        memcpy(w->v[w->count], at->v, (size_t)n * sizeof(double));
        w->count++;
    }
    return SB_OK;
}

static int observe(void *arg, const sb_sample *s) {
    series *w = arg;
    w->end[0] = s->q[0];
    w->end[1] = s->v[0];
    return sb_events_follow(&w->events, s);
}

static void collect_pair(fixture *f, const sb_pair *pair, double h, long steps, const char *text,
                         sb_direction direction, series *w) {
    sb_event event;
    w->count = 0;
    gsl_test(sb_event_parse(&f->ctx, &f->arena, pair->sys, text, &event) != SB_OK ||
                 sb_events_init(&f->ctx, &f->arena, pair, &event, direction, SB_MOTION_OF_RUN, record, w, &w->events) !=
                     SB_OK ||
                 sb_pair_run(&f->ctx, &f->arena, pair, h, steps, observe, w) != SB_OK,
             "%s of %s runs: %s", text, pair->problem, f->ctx.message);
}

static void collect(fixture *f, const char *problem, const char *stepper, double h, long steps, const char *text,
                    sb_direction direction, series *w) {
    const sb_pair pair = pair_of(f, problem, stepper);
    collect_pair(f, &pair, h, steps, text, direction, w);
}

/* cos t passes zero downward at pi/2 + 2 pi k and upward between; the initial state, where sin t = 0, is no event. */
static void directions(fixture *f) {
    series w;
    collect(f, "oscillator", "rk4", 0.01, 2000, "q0=0", SB_EVENT_DOWN, &w);
    gsl_test_int(w.count, 3, "cos falls through zero three times in 20 s");
    near(w.t[2], 4.5 * M_PI, 1e-8, "the third time is 9 pi/2");
    collect(f, "oscillator", "rk4", 0.01, 2000, "q0=0", SB_EVENT_UP, &w);
    gsl_test_int(w.count, 3, "and rises through zero three times");
    near(w.t[0], 1.5 * M_PI, 1e-8, "the first time is 3 pi/2");
    collect(f, "oscillator", "rk4", 0.01, 2000, "v0=0", SB_EVENT_BOTH, &w);
    gsl_test_int(w.count, 6, "-sin vanishes six times after the start");
    near(w.t[0], M_PI, 1e-8, "the first time is pi");
    collect(f, "oscillator", "rk4", 0.01, 2000, "t=1/3", SB_EVENT_BOTH, &w);
    gsl_test_int(w.count, 1, "a time comes once");
    near(w.q[0][0], cos(1.0 / 3.0), 1e-10, "and the state there is between two steps");
}

/* A pendulum that turns at 8 rad/s at its lowest point: the angle in (-pi, pi] jumps through 3 downward in every turn,
 * which is no event. In 10 s it turns (10 s)/(2 K/W) times, W = 4/s; the error of second order is below (8 h)^2. */
static void jumps(fixture *f) {
    const double turn = 2.0 * gsl_sf_ellint_Kcomp(sqrt(9.81) / 4.0, GSL_PREC_DOUBLE) / 4.0;
    series w;
    collect(f, "pendulum:theta0=0,omega0=8", "rattle", 1e-3, 10000, "theta=3", SB_EVENT_BOTH, &w);
    gsl_test_int(w.count, (int)(10.0 / turn), "turns");
    near((w.t[w.count - 1] - w.t[0]) / (w.count - 1), turn, 64e-6 * turn, "time of a turn");
}

/* q'' = 2 and q'' = 6 t - 36, which every method of order 3 integrates exactly, and whose polynomials the dense output
 * contains. */
static int constant_force(const void *self, double t, const double *q, const double *v, double *out) {
    (void)self, (void)t, (void)q, (void)v;
    out[0] = 2.0;
    return SB_OK;
}

static int linear_force(const void *self, double t, const double *q, const double *v, double *out) {
    (void)self, (void)q, (void)v;
    out[0] = 6.0 * t - 36.0;
    return SB_OK;
}

/* (t - 1)^2 - d^2 is negative for 2 d, here a 200th of a step and less; (t - 2) (t - 6) (t - 10) changes its sign three
 * times in a step. The times have the round-off of q, of size 120, over q' = d or more. */
static void several_in_a_step(fixture *f) {
    static const struct {
        const char *start, *stepper;
        int (*force)(const void *, double, const double *, const double *, double *);
        double h, t[3];
    } cases[] = {{"oscillator:x0=0.9999,v0=-2", "rk4", constant_force, 4.0, {0.99, 1.01}},
                 {"oscillator:x0=0.9999,v0=-2", "odeiv2", constant_force, 4.0, {0.99, 1.01}},
                 {"oscillator:x0=0.99999999,v0=-2", "rk4", constant_force, 7.0, {0.9999, 1.0001}},
                 {"oscillator:x0=-120,v0=92", "rk4", linear_force, 12.0, {2.0, 6.0, 10.0}},
                 {"oscillator:x0=-120,v0=92", "odeiv2", linear_force, 12.0, {2.0, 6.0, 10.0}},
                 {"oscillator:x0=-120,v0=92", "odeiv2", linear_force, 3.0, {2.0, 6.0, 10.0}},
                 {"oscillator:x0=-120,v0=92", "adaptive(rk4)", linear_force, 12.0, {2.0, 6.0, 10.0}}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        sb_pair pair = pair_of(f, cases[k].start, cases[k].stepper);
        const int count = cases[k].force == linear_force ? 3 : 2;
        sb_system sys = *pair.sys;
        series w;
        sys.potential = (sb_potential){0};
        sys.flags |= (unsigned)SB_HAS_FORCE;
        sys.force = (sb_force){.value = cases[k].force};
        sys.exact = NULL;
        pair.sys = &sys;
        for (int up = 0; up < 2; up++) {
            collect_pair(f, &pair, cases[k].h, (long)ceil(12.0 / cases[k].h), "q0=0",
                         up == 0 ? SB_EVENT_BOTH : SB_EVENT_UP, &w);
            gsl_test_int(w.count, up == 0 ? count : count - 1, cases[k].stepper);
            for (int i = 0; i < w.count; i++) {
                near(w.t[i], cases[k].t[up == 0 || count == 2 ? i + up : 2 * i], 1e-10, "one of several in a step");
            }
        }
    }
}

/* The states at events of a stepper with error control are its own: q0 = -1 and 1 at v0 = 0, whose times are k pi, with
 * errors that grow to that of the last state. Every interval of output finds the same events, up to the round-off of an
 * output, which is some eps t. */
static void own_steps(fixture *f) {
    static const char *const steppers[] = {"odeiv2:rtol=1e-10", "odeiv2:method=rkck,rtol=1e-7",
                                           "odeiv2:method=msadams,rtol=1e-10", "adaptive(gauss):rtol=1e-8"};
    static const double h[] = {100.0, 10.0, 0.1};
    for (size_t k = 0; k < sizeof steppers / sizeof *steppers; k++) {
        double first[EVENTS];
        for (size_t j = 0; j < sizeof h / sizeof *h; j++) {
            series w;
            collect(f, "oscillator", steppers[k], h[j], lround(100.0 / h[j]), "v0=0", SB_EVENT_BOTH, &w);
            const double error = 2.0 * hypot(w.end[0] - cos(100.0), w.end[1] + sin(100.0));
            gsl_test(!(error < 1e-5), "%s has an error of %.1e at the end", steppers[k], error);
            gsl_test_int(w.count, (int)(100.0 / M_PI), "half turns");
            for (int i = 0; i < w.count; i++) {
                first[i] = j == 0 ? w.t[i] : first[i];
                near(w.t[i], (i + 1) * M_PI, error, steppers[k]);
                near(fabs(w.q[i][0]), 1.0, error, "amplitude");
                near(w.t[i], first[i], 1e-12, "a time, for every interval of output");
            }
        }
    }
}

/* ---- Periods. ---- */

enum { PERIOD = 5, PERIOD_SE, EXACT, ERROR };

static double number(const sb_table *table, int row, int column) {
    const sb_cell *cell = &table->cells[row * table->ncolumns + column];
    return cell->type == SB_CELL_REAL ? cell->real : (double)NAN;
}

/* The exact solution's period, from events, is that of the formula to the round-off of times near 200 time scales. */
static void closed_forms(fixture *f) {
    const double w = sqrt(9.81);
    const struct {
        const char *problem, *options;
        double period;
    } cases[] = {{"pendulum:theta0=2", "", 4.0 * gsl_sf_ellint_Kcomp(sin(1.0), GSL_PREC_DOUBLE) / w},
                 {"pendulum:theta0=0,omega0=8", "", 2.0 * gsl_sf_ellint_Kcomp(w / 4.0, GSL_PREC_DOUBLE) / 4.0},
                 {"kepler:e=0.3,a=2,mu=3", "", 2.0 * M_PI * 2.0 * sqrt(2.0 / 3.0)},
                 {"kepler", "event=v0=0,direction=down", 2.0 * M_PI},
                 {"oscillator:omega=3", "", 2.0 * M_PI / 3.0}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        sb_table table;
        rows(f, "period", cases[k].options, cases[k].problem, "rattle", &table);
        gsl_test_int(table.nrows, 3, "three steps");
        near(number(&table, 0, EXACT), cases[k].period, 1e-12 * cases[k].period, cases[k].problem);
        near(log2(number(&table, 1, ERROR) / number(&table, 2, ERROR)), 2.0, 0.05, "order of rattle's period");
    }
}

/* On q'' = -q a step of verlet turns by acos(1 - h^2/2), one of midpoint by 2 atan(h/2). Reported velocities have
 * another error than positions, so that the dense output differs from the motion of the method by h^3 within a step;
 * over 32 events this changes the slope by sqrt(12/32^3) h^3 = 0.02 h^3. */
static void discrete_frequencies(fixture *f) {
    static const char *const steppers[] = {"verlet", "midpoint"};
    for (int k = 0; k < 2; k++) {
        sb_table table;
        rows(f, "period", "h=[0.2,0.1,0.05]", "oscillator", steppers[k], &table);
        for (int i = 0; i < 3; i++) {
            const double h = 0.2 / (1 << i), angle = k == 0 ? acos(1.0 - 0.5 * h * h) : 2.0 * atan(0.5 * h),
                         se = number(&table, i, PERIOD_SE);
            near(number(&table, i, PERIOD), 2.0 * M_PI * h / angle, 3.0 * se, steppers[k]);
            gsl_test(!(se <= 0.02 * h * h * h), "%s: standard error %.2g of the period at h = %g", steppers[k], se, h);
        }
    }
}

/* The period and its standard error are those of a line of least squares by GSL through the times of the events. */
static void least_squares(fixture *f) {
    double n[EVENTS], c0, c1, cov00, cov01, cov11, sumsq;
    series w;
    sb_table table;
    collect(f, "oscillator", "verlet", 0.1, 2000, "q0=0", SB_EVENT_UP, &w);
    for (int i = 0; i < EVENTS; i++) {
        n[i] = i;
    }
    gsl_fit_linear(n, 1, w.t, 1, (size_t)w.count, &c0, &c1, &cov00, &cov01, &cov11, &sumsq);
    rows(f, "period", "h=0.1", "oscillator", "verlet", &table);
    near(number(&table, 0, PERIOD), c1, 1e-12, "slope");
    near(number(&table, 0, PERIOD_SE) / sqrt(cov11), 1.0, 1e-6, "its standard error");
}

/* Events of the oscillator with rk4, whose period has order 4, and of one problem without enough of them. */
static void higher_order(fixture *f) {
    sb_table table;
    rows(f, "period", "", "oscillator", "rk4", &table);
    near(log2(number(&table, 1, ERROR) / number(&table, 2, ERROR)), 4.0, 0.05, "order of rk4's period");
    /* 200 time scales of this orbit are one period. */
    rows(f, "period", "", "kepler:e=0.9", "rk4", &table);
    near(number(&table, 2, PERIOD), 2.0 * M_PI, 1e-5, "Kepler's third law"); /* rk4: 2e-7 a turn */
    rows(f, "period", "t_end=1", "oscillator", "rk4", &table);
    gsl_test(!isnan(number(&table, 0, PERIOD)), "no period without two events");
    gsl_test_int(run_one(f, "period", "event=q1=0", "oscillator", "rk4", &table), SB_BAD_USAGE, "no such coordinate");
    gsl_test_int(run_one(f, "period", "event=q0", "oscillator", "rk4", &table), SB_BAD_USAGE, "no value");
}

/* V = r^2/2 + r^3 sin(3 phi)/3: the lines phi = 30 degrees and -30 degrees are invariant. An orbit of energy E through
 * the origin along them pierces the section x = 0, vx > 0 at y = 0, vy = sqrt(E/2) and -sqrt(E/2), fixed points of the
 * return map. */
static void fixed_points(fixture *f) {
    const double E = 0.1, speed = sqrt(2.0 * E);
    for (int sign = -1; sign <= 1; sign += 2) {
        char problem[200];
        series w;
        snprintf(problem, sizeof problem, "henon_heiles:y0=0,vx0=%.17g,vy0=%.17g", speed * sqrt(0.75),
                 0.5 * sign * speed);
        collect(f, problem, "rk4", 0.02, 2000, "q0=0", SB_EVENT_UP, &w);
        gsl_test(w.count < 5 || !(w.t[0] > 1.0), "%d points of the section, the start not among them", w.count);
        for (int i = 0; i < w.count; i++) {
            /* Round-off of a thousand steps; rk4 changes the energy by h^5/100 of itself per step. */
            near(w.q[i][1], 0.0, 1e-11, "y of the fixed point");
            near(w.v[i][1], 0.5 * sign * speed, 1e-8, "vy of the fixed point");
            near(0.5 * (w.v[i][0] * w.v[i][0] + w.v[i][1] * w.v[i][1]), E, 1e-8, "energy on the section");
        }
    }
}

/* The period of that orbit: r'' = -r - r^2 between the turning points r1 < r2 of r^3 + 3 r^2/2 = 3 E, whose third root
 * is a < r1. With r = m + d sin phi, T = sqrt(6) times the integral of (m + d sin phi - a)^(-1/2) over half a turn; the
 * sum over equidistant phi converges exponentially. */
static void orbit_period(fixture *f) {
    const double E = 0.1, speed = sqrt(2.0 * E);
    double a, r1, r2, sum = 0.0;
    char problem[200];
    sb_table table;
    gsl_test_int(gsl_poly_solve_cubic(1.5, 0.0, -3.0 * E, &a, &r1, &r2), 3, "three turning points");
    for (int i = 0; i < 64; i++) {
        sum += 1.0 / sqrt(0.5 * (r1 + r2) + 0.5 * (r2 - r1) * sin(2.0 * M_PI * i / 64.0) - a);
    }
    const double period = sqrt(6.0) * M_PI * sum / 64.0;
    snprintf(problem, sizeof problem, "henon_heiles:y0=0,vx0=%.17g,vy0=%.17g", speed * sqrt(0.75), 0.5 * speed);
    rows(f, "period", "h=[0.1,0.05],t_end=40", problem, "gauss:stages=2", &table);
    const double one = number(&table, 0, PERIOD) - period, two = number(&table, 1, PERIOD) - period;
    near(two, 0.0, 1e-6, "period of the straight orbit");
    near(log2(one / two), 4.0, 0.1, "order of its error");
}

/* ---- Forces that switch. ---- */

/* q'' = -c sign(q), a jump, and q'' = -q for q < 0, -c^2 q else, a kink: parabolas, of duration 2/c, and half waves, of
 * durations pi and pi/c, from q = 0, v = 1. No duration is a multiple of a step. */
static const double c = 1.3;

static int jump_force(const void *self, double t, const double *q, const double *v, double *out) {
    (void)self, (void)t, (void)v;
    out[0] = q[0] > 0.0 ? -c : c;
    return SB_OK;
}

static int jump_exact(const void *self, double t, double *q, double *v, double *lambda) {
    const double turns = floor(0.5 * c * t), s = t - 2.0 / c * turns, sign = fmod(turns, 2.0) == 0.0 ? 1.0 : -1.0;
    (void)self, (void)lambda;
    if (q != NULL) {
        q[0] = sign * (s - 0.5 * c * s * s);
    }
    if (v != NULL) {
        v[0] = sign * (1.0 - c * s);
    }
    return SB_OK;
}

static int kink_force(const void *self, double t, const double *q, const double *v, double *out) {
    (void)self, (void)t, (void)v;
    out[0] = q[0] > 0.0 ? -c * c * q[0] : -q[0];
    return SB_OK;
}

static int kink_exact(const void *self, double t, double *q, double *v, double *lambda) {
    const double s = fmod(t, M_PI + M_PI / c), w = s < M_PI / c ? c : 1.0, x = s < M_PI / c ? s : s - M_PI / c;
    const double sign = s < M_PI / c ? 1.0 : -1.0;
    (void)self, (void)lambda;
    if (q != NULL) {
        q[0] = sign * sin(w * x) / w;
    }
    if (v != NULL) {
        v[0] = sign * cos(w * x);
    }
    return SB_OK;
}

/* Steps are fixed, and one across a switch takes forces from both sides. Their difference, of size 1 at a jump and h at
 * a kink, acts for a part of the step: an error of order 1 or 2 in v, where rk4 claims 4. The slope scatters with the
 * place of the switch in the step, by less than 0.4 over nine steps. */
static void switching_orders(fixture *f) {
    static const struct {
        int (*force)(const void *, double, const double *, const double *, double *);
        int (*exact)(const void *, double, double *, double *, double *);
        double order;
    } cases[] = {{jump_force, jump_exact, 1.0}, {kink_force, kink_exact, 2.0}};
    sb_pair pair = pair_of(f, "oscillator:x0=0,v0=1", "rk4");
    sb_system sys = *pair.sys;
    double h[9];
    for (int i = 0; i < 9; i++) {
        h[i] = 0.1 * pow(0.5, i);
    }
    const sb_order_config config = {.h = {9, h}, .levels = 9, .ratio = 2.0, .t_end = 7.0, .reference = "exact"};
    sys.potential = (sb_potential){0};
    sys.flags |= (unsigned)SB_HAS_FORCE;
    pair.sys = &sys;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        sb_order order = {0};
        sys.force = (sb_force){.value = cases[k].force};
        sys.exact = cases[k].exact;
        gsl_test(sb_order_measure(&f->ctx, &f->arena, &config, &pair, &order) != SB_OK, "a switching force: %s",
                 f->ctx.message);
        near(order.fit[SB_ERR_V].value, cases[k].order, 0.4, "order with a force that switches");
    }
}

int main(void) {
    fixture f;
    fixture_init(&f);
    dense_orders(&f);
    directions(&f);
    jumps(&f);
    several_in_a_step(&f);
    own_steps(&f);
    closed_forms(&f);
    discrete_frequencies(&f);
    least_squares(&f);
    higher_order(&f);
    fixed_points(&f);
    orbit_period(&f);
    switching_orders(&f);
    fixture_free(&f);
    return gsl_test_summary();
}
