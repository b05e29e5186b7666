/* Steppers with error control: errors follow the tolerance; steps and evaluations are counted, rejected ones included;
 * the mesh does not depend on the outputs; the reversible controller follows the local error. */
#include <stdio.h>

#include <stepbench/numerics/norm.h>

#include "analysis/accuracy/order_verdict.h"
#include "analysis/accuracy/work.h"
#include "core/run/build.h"
#include "tests/analysis/fixture.h"

/* The known power is that of the local error that is kept at the tolerance: h^p for a pair whose better formula of
 * order p is used, h^(p+1) for a stepper of order p, whose global error is h^p. The verdict is that of the analysis
 * `order`.
 */
static void errors_follow(fixture *f) {
    static const struct {
        const char *problem, *stepper;
        double power;
    } cases[] = {{"kepler:e=0.6", "odeiv2", 1.0},
                 {"pendulum", "odeiv2", 1.0},
                 {"car_axis", "odeiv2", 1.0},
                 {"pendulum:theta0=1", "odeiv2:method=rkf45", 1.0},
                 {"pendulum:theta0=1", "odeiv2:method=rkck", 1.0},
                 {"kepler:e=0.6", "rkn_pair", 12.0 / 11.0},
                 {"kepler:e=0.6", "adaptive(verlet)", 2.0 / 3.0},
                 {"kepler:e=0.6", "adaptive(yoshida4(verlet))", 0.8},
                 {"kepler:e=0.6", "adaptive_reversible(verlet)", 2.0 / 3.0},
                 {"kepler:e=0.6", "adaptive_reversible(yoshida4(verlet))", 0.8},
                 {"pendulum", "adaptive_reversible(rattle)", 2.0 / 3.0},
                 {"kepler:e=0.6", "adaptive(rk4)", 0.8},
                 {"pendulum", "adaptive(radau_iia)", 0.75}};
    const sb_order_config config = {.levels = 6, .ratio = 2.0, .scales = 10.0, .reference = "auto"};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const sb_pair pair = pair_of(f, cases[i].problem, cases[i].stepper);
        sb_order order;
        const int status = sb_order_measure(&f->ctx, &f->arena, &config, &pair, &order);
        gsl_test(status != SB_OK, "%s on %s: %s", cases[i].stepper, cases[i].problem, f->ctx.message);
        near(sb_claimed_power(&pair, &order), cases[i].power, 1e-15, cases[i].stepper);
        for (int k = SB_ERR_Q; k <= SB_ERR_V && status == SB_OK; k++) {
            gsl_test(!(fabs(order.fit[k].value - cases[i].power) <= 0.2),
                     "%s on %s: power %.3f of the tolerance, %.3f is known", cases[i].stepper, cases[i].problem,
                     order.fit[k].value, cases[i].power);
        }
    }
}

/* Forces of a run of length T with one output: verlet takes one per step, and three steps per attempt, also of those to
 * the output; Prince and Dormand's pair takes 13 per attempt, and one at the beginning; the Nystrom pair of order 8
 * takes 8, its first one is in the start; the reversible controller takes none. The start is at the pericentre, where
 * the first steps are too long. */
static void evaluations_count(fixture *f) {
    static const struct {
        const char *stepper;
        long attempt, first;
        bool rejects;
    } cases[] = {{"adaptive(verlet):rtol=1e-2", 3, 0, true},
                 {"odeiv2", 13, 1, true},
                 {"rkn_pair:pair=dormand86", 8, 0, true},
                 {"odeiv2:method=rkf45", 6, 1, true},
                 {"adaptive_reversible(verlet)", 1, 1, false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const sb_pair pair = pair_of(f, "kepler:e=0.9", cases[i].stepper);
        sb_work work;
        const int status = sb_work_measure(&f->ctx, &pair, 10.0, 1, &work);
        gsl_test(status != SB_OK, "%s runs: %s", cases[i].stepper, f->ctx.message);
        gsl_test(work.counts.force != cases[i].attempt * (work.substeps + work.rejected) + cases[i].first,
                 "%s: %ld forces in %ld accepted and %ld rejected steps", cases[i].stepper, work.counts.force,
                 work.substeps, work.rejected);
        gsl_test((work.rejected > 0) != cases[i].rejects, "%s rejects %ld of %ld steps", cases[i].stepper,
                 work.rejected, work.substeps + work.rejected);
    }
}

/* A step counts the iterations of all its attempts: one of gauss takes a force per stage. */
static void iterations_count(fixture *f) {
    const char *const steppers[] = {"adaptive(gauss):stages=2", "adaptive_reversible(gauss):stages=2"};
    for (int i = 0; i < 2; i++) {
        const sb_pair pair = pair_of(f, "kepler:e=0.6", steppers[i]);
        sb_work work;
        const int status = sb_work_measure(&f->ctx, &pair, 6.0, 2, &work);
        gsl_test(status != SB_OK, "%s: %s", steppers[i], f->ctx.message);
        gsl_test(work.counts.force != 2 * work.iters || work.iters == 0, "%s: %ld forces in %ld iterations",
                 steppers[i], work.counts.force, work.iters);
    }
}

/* Runs to t = end with outputs at multiples of h. Sets y to q and v there. */
static void run_to(fixture *f, const char *problem, const char *stepper, double end, double h, double *y) {
    const sb_pair pair = pair_of(f, problem, stepper);
    const int n = pair.sys->n;
    sb_method method;
    sb_state s[2];
    int status = sb_method_init(&f->ctx, &f->arena, pair.type, pair.config, pair.sys, &method);
    for (int k = 0; k < 2 && status == SB_OK; k++) {
        status = sb_state_new(&method, &f->arena, &s[k]);
    }
    status = status == SB_OK ? sb_method_start(&method, 0.0, NULL, NULL, h, &s[0]) : status;
    for (double t = 0.0; t < end && status == SB_OK; t += h) {
        status = sb_method_step(&method, &s[0], h, &s[1]);
        sb_state_copy(&method, &s[1], &s[0]);
    }
    gsl_test(status != SB_OK, "%s on %s runs to t = %g: %s", stepper, problem, end, f->ctx.message);
    memcpy(y, s[0].q, (size_t)n * sizeof *y);
    memcpy(y + n, s[0].v, (size_t)n * sizeof *y);
}

/* Powers of two are sums without rounding: the end is the same to the last bit. */
static void outputs_leave_the_mesh(fixture *f) {
    static const char *const cases[][2] = {{"kepler:e=0.6", "odeiv2"},
                                           {"pendulum", "odeiv2"},
                                           {"kepler:e=0.6", "odeiv2:method=msadams"},
                                           {"pendulum", "odeiv2:method=msbdf"},
                                           {"kepler:e=0.6", "rkn_pair"},
                                           {"kepler:e=0.6", "rkn_pair:pair=dormand86"},
                                           {"kepler:e=0.6", "adaptive(verlet)"},
                                           {"kepler:e=0.6", "adaptive_reversible(verlet)"},
                                           {"dsp", "adaptive_reversible(rattle)"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double many[16], few[16];
        memset(many, 0, sizeof many);
        memset(few, 0, sizeof few);
        run_to(f, cases[i][0], cases[i][1], 8.0, 0.0625, many);
        run_to(f, cases[i][0], cases[i][1], 8.0, 8.0, few);
        gsl_test(memcmp(many, few, sizeof many) != 0 || !(fabs(many[0]) > 0.0),
                 "%s on %s ends at the same state with 128 outputs and with one", cases[i][1], cases[i][0]);
    }
}

/* The local errors of a method of order k are kept at the tolerance: its errors are O(rtol^(k/(k + 1))). Adams methods
 * go up to order 12, BDF up to 5, and neither stays below 3 at these tolerances. The order rises as the tolerance
 * falls: the fit is within 0.1, more than one order changes the power by, k/(k + 1) - (k - 1)/k = 1/(k (k + 1)). */
static void multistep_errors_follow(fixture *f) {
    static const struct {
        const char *problem, *stepper;
        int highest;
    } cases[] = {{"kepler:e=0.6", "odeiv2:method=msadams", 12},
                 {"kepler:e=0.6", "odeiv2:method=msbdf", 5},
                 {"pendulum", "odeiv2:method=msadams", 12},
                 {"pendulum", "odeiv2:method=msbdf", 5}};
    const sb_order_config config = {.levels = 8, .ratio = 2.0, .scales = 10.0, .reference = "exact"};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const sb_pair pair = pair_of(f, cases[i].problem, cases[i].stepper);
        const double low = 3.0 / 4.0, high = cases[i].highest / (cases[i].highest + 1.0);
        sb_order order;
        const int status = sb_order_measure(&f->ctx, &f->arena, &config, &pair, &order);
        gsl_test(status != SB_OK, "%s on %s: %s", cases[i].stepper, cases[i].problem, f->ctx.message);
        for (int k = SB_ERR_Q; k <= SB_ERR_V && status == SB_OK; k++) {
            const double power = order.fit[k].value;
            gsl_test(!(power >= low - 0.1 && power <= high + 0.1),
                     "%s on %s: power %.3f of the tolerance, %.3f to %.3f is known", cases[i].stepper, cases[i].problem,
                     power, low, high);
        }
    }
}

/* The overdamped oscillator rests but for a motion over 1/gamma. Functional iteration contracts where gamma h l_0 < 1,
 * with l_0 >= 1/4 up to order 12, so that Adams methods take gamma t/4 steps; methods for stiff systems do not depend
 * on gamma. */
static void stiffness_costs_nothing(fixture *f) {
    const char *const steppers[] = {"odeiv2:method=msadams", "odeiv2:method=msbdf", "adaptive(radau_iia)"};
    for (int i = 0; i < 3; i++) {
        const sb_pair pair = pair_of(f, "oscillator:gamma=1000", steppers[i]);
        sb_work work;
        gsl_test(sb_work_measure(&f->ctx, &pair, 2.0, 1, &work) != SB_OK, "%s: %s", steppers[i], f->ctx.message);
        gsl_test(i == 0 ? work.substeps < 500 : !(work.substeps < 100), "%s takes %ld steps of a stiff oscillator",
                 steppers[i], work.substeps);
    }
}

/* A multistep method has its history from where it began: steps that are not successive give the same states. */
static void history_is_kept(fixture *f) {
    const char *const steppers[] = {"odeiv2:method=msadams", "odeiv2:method=msbdf"};
    for (int i = 0; i < 2; i++) {
        const sb_pair pair = pair_of(f, "pendulum", steppers[i]);
        sb_method method;
        sb_state s[4];
        int status = sb_method_init(&f->ctx, &f->arena, pair.type, pair.config, pair.sys, &method);
        for (int k = 0; k < 4 && status == SB_OK; k++) {
            status = sb_state_new(&method, &f->arena, &s[k]);
        }
        status = status == SB_OK ? sb_method_start(&method, 0.0, NULL, NULL, 0.25, &s[0]) : status;
        status = status == SB_OK ? sb_method_step(&method, &s[0], 0.25, &s[1]) : status;
        status = status == SB_OK ? sb_method_step(&method, &s[1], 0.25, &s[2]) : status;
        status = status == SB_OK ? sb_method_step(&method, &s[1], -0.125, &s[3]) : status; /* another history */
        status = status == SB_OK ? sb_method_step(&method, &s[1], 0.25, &s[3]) : status;
        gsl_test(status != SB_OK, "%s steps: %s", steppers[i], f->ctx.message);
        gsl_test(memcmp(s[2].q, s[3].q, 2 * sizeof(double)) != 0 || memcmp(s[2].v, s[3].v, 2 * sizeof(double)) != 0,
                 "%s: a step from the same state gives the same state", steppers[i]);
    }
}

/* Errors at outputs between the points of the mesh follow the tolerance, too: over a period the flow amplifies local
 * errors by less than a hundred. */
static void outputs_are_exact(fixture *f) {
    const char *const stepper = "adaptive(gauss):stages=4,rtol=1e-8";
    double end[8], many = 0.0;
    const sb_pair pair = pair_of(f, "kepler:e=0.6", stepper);
    double q[2], v[2];
    for (double t = 4.0; t <= 6.0; t += 0.125) { /* before the pericentre at 2 pi, where steps are rejected */
        run_to(f, "kepler:e=0.6", stepper, t, t, end);
        pair.sys->exact(pair.sys->self, t, q, v, NULL);
        many = sb_larger(many, hypot(end[0] - q[0], end[1] - q[1]));
    }
    gsl_test(!(many < 1e-6), "an error of %.2g between the points of the mesh, at a tolerance of 1e-8", many);
}

/* Returns the largest error of the energy of an orbit with e = 0.9 over five periods. */
static double energy_error(fixture *f, const char *stepper, double h, long steps) {
    char options[96];
    sb_table table;
    snprintf(options, sizeof options, "h=%.17g,steps=%ld,blocks=1", h, steps);
    rows(f, "energy", options, "kepler:e=0.9", stepper, &table);
    return fmax(-sb_table_real(&table, 0, "low"), sb_table_real(&table, 0, "high"));
}

/* On an eccentric orbit, steps that follow the local error are worth more than sqrt(10) times as many fixed ones: with
 * as many forces the error of the energy, of order two, is less than a tenth. */
static void controller_follows(fixture *f) {
    const char *reversible = "adaptive_reversible(verlet):rtol=1e-6";
    const double period = 2.0 * acos(-1.0);
    const sb_pair pair = pair_of(f, "kepler:e=0.9", reversible);
    sb_work work;
    gsl_test(sb_work_measure(&f->ctx, &pair, period, 1, &work) != SB_OK, "a period: %s", f->ctx.message);
    const double fixed = energy_error(f, "verlet", period / (double)work.counts.force, 5 * work.counts.force),
                 adapted = energy_error(f, reversible, period / 50.0, 250);
    gsl_test(!(adapted < 0.1 * fixed && adapted > 0.0),
             "with %ld forces per period the energy is off by %.2g, with fixed steps by %.2g", work.counts.force,
             adapted, fixed);
}

/* What cannot be done is refused with a sentence that names it. */
static void refusals(fixture *f) {
    static const struct {
        const char *analysis, *problem, *stepper, *sentence;
    } cases[] = {{"stability", "kepler", "odeiv2", "chooses its steps itself"},
                 {"order", "kepler", "adaptive(shake)", "adaptive does not take shake"},
                 {"order", "kepler", "adaptive(bdf):order=3", "adaptive does not take bdf"},
                 {"order", "kepler", "adaptive_reversible(rk4)", "does not take rk4: it takes a reversible one-step"},
                 {"order", "kepler", "adaptive(adaptive_reversible(verlet))", "adaptive does not take adaptive_rev"},
                 {"order", "kepler", "yoshida4(adaptive_reversible(verlet))", "cannot be composed of adaptive_rev"},
                 {"order", "bouncing_ball", "odeiv2", "unilateral contacts"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sb_table table;
        const int status = run_one(f, cases[i].analysis, NULL, cases[i].problem, cases[i].stepper, &table);
        gsl_test(status != SB_UNSUPPORTED || strstr(f->ctx.message, cases[i].sentence) == NULL,
                 "%s of %s on %s is refused: %s", cases[i].analysis, cases[i].stepper, cases[i].problem,
                 f->ctx.message);
    }
    const sb_pair pair = pair_of(f, "kepler", "odeiv2");
    sb_work work;
    gsl_test(sb_work_measure(&f->ctx, &pair, 1e20, 1, &work) <= 0 || strstr(f->ctx.message, "cannot reach") == NULL,
             "a time that cannot be resolved: %s", f->ctx.message);
}

int main(void) {
    fixture f;
    fixture_init(&f);
    errors_follow(&f);
    multistep_errors_follow(&f);
    evaluations_count(&f);
    iterations_count(&f);
    outputs_leave_the_mesh(&f);
    outputs_are_exact(&f);
    history_is_kept(&f);
    stiffness_costs_nothing(&f);
    controller_follows(&f);
    refusals(&f);
    fixture_free(&f);
    return gsl_test_summary();
}
