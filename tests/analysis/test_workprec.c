/* Work: the evaluations, factorizations and iterations of known methods; and which points of a work-precision diagram
 * no other beats. */
#include <fenv.h>
#include <float.h>
#include <stdio.h>

#include "analysis/accuracy/work.h"
#include "analysis/row.h"
#include "bench/card/pareto.h"
#include "tests/analysis/fixture.h"

static sb_work work_of(fixture *f, const char *problem, const char *stepper, long steps) {
    const sb_pair pair = pair_of(f, problem, stepper);
    sb_work work = {0};
    const int status = sb_work_measure(&f->ctx, &pair, 0.01, steps, &work);
    gsl_test(status != SB_OK, "%s on %s runs: %s", stepper, problem, status == SB_OK ? "it does" : f->ctx.message);
    return work;
}

static void stages(fixture *f) {
    static const struct {
        const char *problem, *stepper;
        long force;
    } known[] = {
        {"kepler", "euler_explicit", 1}, {"kepler", "rk4", 4}, {"kepler", "verlet", 1}, {"pendulum", "shake", 1}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        const sb_work a = work_of(f, known[i].problem, known[i].stepper, 10),
                      b = work_of(f, known[i].problem, known[i].stepper, 30);
        gsl_test(b.counts.force - a.counts.force != 20 * known[i].force, "%s takes %ld forces per step, not %g",
                 known[i].stepper, known[i].force, (double)(b.counts.force - a.counts.force) / 20.0);
    }
    const sb_work rk4 = work_of(f, "kepler", "rk4", 10), midpoint = work_of(f, "kepler", "midpoint", 10),
                  shake = work_of(f, "dsp", "shake", 10);
    gsl_test(rk4.factorizations != 0 || rk4.iters != 0 || rk4.counts.hessian != 0, "an explicit method solves nothing");
    gsl_test(
        midpoint.iters < 20 || midpoint.factorizations != midpoint.iters || midpoint.counts.hessian < midpoint.iters,
        "Newton with a fresh Jacobian: %ld factorizations in %ld iterations", midpoint.factorizations, midpoint.iters);
    gsl_test(shake.factorizations != shake.iters || shake.iters < 10, "so it is on the multipliers alone: %ld, %ld",
             shake.factorizations, shake.iters);
    static const double once[] = {1.0, 1.0, 1.0, 1.0, 0.0}, costs[] = {1.0, 3.0, 0.0, 0.0, 10.0};
    near(sb_work_weighted(&rk4, once), 40.0, 0.0, "what is evaluated adds up");
    near(sb_work_weighted(&midpoint, costs),
         (double)(midpoint.counts.force + 3 * midpoint.counts.hessian + 10 * midpoint.factorizations), 0.0,
         "a Jacobian and a factorization are not one force call");
}

static void rows_of_it(fixture *f) {
    sb_table table;
    rows(f, "workprec", "levels=5", "kepler", "rk4", &table);
    gsl_test_int(table.nrows, 5, "a row a level");
    for (int i = 1; i < table.nrows; i++) {
        near(sb_table_real(&table, i, "evaluations"), 2.0 * sb_table_real(&table, i - 1, "evaluations"), 0.0,
             "half the step, twice the work");
        /* The energy that is lost has order five: it raises the slope, by half as much at each halving. */
        near(log2(sb_table_real(&table, i - 1, "err_q") / sb_table_real(&table, i, "err_q")), 4.0, 0.6 / ldexp(1.0, i),
             "and a sixteenth of the error");
    }
    rows(f, "workprec", "levels=2,weights=[0,0,0,0,7]", "kepler", "midpoint", &table);
    near(sb_table_real(&table, 0, "evaluations"), 7.0 * sb_table_real(&table, 0, "factor"), 0.0, "weights are given");
    rows(f, "workprec", "levels=2", "pendulum", "r*4", &table);
    gsl_test(table.nrows != 1 || strstr(sb_table_text(&table, 0, "status"), "does not take") == NULL,
             "a refusal is a row");
    /* (1 + i h omega)^k: after 12 steps of 1/omega the error is 65 times the motion, after 16 it is 257 times. */
    const char *const oscillator = "oscillator:m=1,omega=1,x0=1,v0=0";
    rows(f, "workprec", "h=[1],t_end=12", oscillator, "euler_explicit", &table);
    near(sb_table_real(&table, 0, "err_relative"), (64.0 + cos(12.0)) / -cos(3.0), 1e-6, "over the largest sample");
    rows(f, "workprec", "h=[1],t_end=16", oscillator, "euler_explicit", &table);
    gsl_test(!sb_table_is(&table, 0, "status", "unbounded") || !isnan(sb_table_real(&table, 0, "err_q")),
             "a run beyond a hundred times the motion has no error: %s", sb_table_text(&table, 0, "status"));
}

/* The largest default step is a tenth of the time scale in two digits, T = (1 - e)^(3/2)/(1 + e)^(1/2) for Kepler's
 * problem with a = mu = 1, in every direction of rounding, on a tie, too. The runs cover the period, 2 pi, and no more
 * than a step beyond it. */
static void default_runs(fixture *f) {
    static const struct {
        const char *problem;
        double h;
    } known[] = {{"kepler:e=0", 0.1}, {"kepler:e=0.5", 0.029}, {"kepler:e=0.9", 0.0023}};
    static const int modes[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD};
    const double period = 2.0 * acos(-1.0);
    sb_table table;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        rows(f, "workprec", "levels=2", known[i].problem, "verlet", &table);
        const double t_end = sb_table_real(&table, 0, "t_end");
        near(sb_table_real(&table, 0, "h"), known[i].h, 0.0, "a step that can be typed");
        near(sb_table_real(&table, 1, "h"), 0.5 * known[i].h, 0.0, "and its half");
        gsl_test(!(t_end >= period && t_end < period + known[i].h), "%s: %g s are one orbit", known[i].problem, t_end);
    }
    const double round[] = {sb_round_number(2.1), sb_round_number(50.0), sb_round_number(51.0)};
    gsl_test(round[0] != 5.0 || round[1] != 50.0 || round[2] != 100.0, "numbers of steps: %g, %g, %g", round[0],
             round[1], round[2]);
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
        fesetround(modes[i]);
        const double tie = 10.0 * sb_default_step(0.125), below = sb_round_number(0.2);
        fesetround(FE_TONEAREST);
        near(tie, 0.13, DBL_EPSILON, "0.0125 is rounded to 0.013");
        near(below, 0.2, DBL_EPSILON, "0.2 is a round number");
    }
}

/* On the car axis Newton's iterations of small steps end in round-off. Their number has the digits that are certain:
 * the spread of as many random numbers as iterations ended so. */
static void counts_of_round_off(fixture *f) {
    sb_table table;
    const sb_work clear = {.iters = 10}, random = {.iters = 10, .stalled = 4};
    near(sb_work_uncertainty(&clear), 0.0, 0.0, "counts that round-off does not reach");
    near(sb_work_uncertainty(&random), 2.0 * sqrt(4.0 * (3.0 * M_E - M_E * M_E)) / 10.0, 1e-3,
         "two standard deviations");
    rows(f, "workprec", "h=[1e-3],t_end=0.1", "car_axis", "radau_iia", &table);
    gsl_test(!(sb_table_unit(&table, 0, "iters") > 1.0), "iterations: %g", sb_table_real(&table, 0, "iters"));
    rows(f, "workprec", "levels=2", "pendulum", "rattle", &table);
    gsl_test(sb_table_unit(&table, 0, "iters") != 0.0, "iterations that end by the tolerance are counted exactly");
}

/* Measured weights are the same for all steppers of a problem, and are returned: a force costs 1, what the problem
 * lacks 0, and the sum is that of the counts times the weights. */
static void measured_weights(fixture *f) {
    const char *const problems[] = {"kepler", "dsp"}, *const steppers[] = {"midpoint", "shake"}, *text;
    const sb_analysis *analysis = (const sb_analysis *)sb_registry_find(&f->ctx, SB_KIND_ANALYSIS, "workprec");
    void *config = sb_alloc(&f->arena, 1, analysis->entry.config_size);
    sb_call call = {.formulations = {.count = 0}};
    sb_product *product = NULL;
    sb_table table;
    int status = sb_config_parse(&f->ctx, &f->arena, &analysis->entry, "weights=measured,levels=2", config);
    sb_specs_parse(&f->ctx, &f->arena, SB_KIND_PROBLEM, 2, problems, &call.problems);
    sb_specs_parse(&f->ctx, &f->arena, SB_KIND_STEPPER, 2, steppers, &call.steppers);
    status = status == SB_OK ? sb_product_new(&f->ctx, &f->arena, analysis, config, &call, &product) : status;
    gsl_test(status != SB_OK, "weights are measured: %s", status == SB_OK ? "they are" : f->ctx.message);
    sb_table_init(&table, &f->arena);
    table.sink.begin(&table.sink, analysis->ncolumns, analysis->columns);
    for (int k = 0; k < 4; k++) {
        double w[SB_WORK_KINDS] = {NAN};
        const sb_pair pair = sb_product_pair(product, k);
        const int before = table.nrows;
        text = sb_product_measured(product, k / 2);
        gsl_test(sscanf(text, "--weights=[%lf,%lf,%lf,%lf,%lf]", &w[0], &w[1], &w[2], &w[3], &w[4]) != SB_WORK_KINDS,
                 "five weights: %s", text);
        near(w[0], 1.0, 0.0, "the force is the unit");
        gsl_test((w[2] > 0.0) != (k / 2 == 1) || !(w[1] > 0.0 && w[3] > 0.0 && w[4] > 0.0 && w[4] < INFINITY),
                 "what costs nothing is not there: %s", text);
        sb_product_run(&f->ctx, product, k, &pair, &table.sink);
        for (int i = before; i < table.nrows && k != 2; i++) { /* dsp has constraints, which midpoint does not take */
            const double sum = w[0] * sb_table_real(&table, i, "force") + w[1] * sb_table_real(&table, i, "jacobian") +
                               w[2] * sb_table_real(&table, i, "constraint") + w[3] * sb_table_real(&table, i, "mass") +
                               w[4] * sb_table_real(&table, i, "factor");
            near(sb_table_real(&table, i, "evaluations"), sum, 10.0 * DBL_EPSILON * sum, "each count by its weight");
        }
    }
    gsl_test_int(table.nrows, 7, "two rows per pair, and a refusal");
}

/* Problem, stepper, cost, error; and whether it is on the front. */
static void front(fixture *f) {
    static const sb_column columns[] = {{"problem", SB_COL_KEY, "", ""},
                                        {"stepper", SB_COL_KEY, "", ""},
                                        {"cost", SB_COL_INFO, "", ""},
                                        {"error", SB_COL_ERROR, "", ""}};
    static const struct {
        const char *problem, *stepper;
        double cost, error;
        bool on;
    } points[] = {{"a", "x", 10, 1e-2, true},      {"a", "x", 20, 1e-3, true},     {"a", "y", 20, 2e-3, false},
                  {"a", "y", 40, 1e-3, false},     {"a", "z", 20, 1.001e-3, true}, {"a", "y", 80, 1e-4, true},
                  {"a", "z", 90, 0.999e-4, false}, {"a", "z", 5, NAN, false},      {"b", "y", 1000, 1.0, true},
                  {"b", "x", 1000, 5.0, false},    {"a", "x", NAN, 1e-9, false}};
    enum { N = sizeof points / sizeof *points };
    sb_table table;
    bool on[N];
    sb_table_init(&table, &f->arena);
    int status = table.sink.begin(&table.sink, 4, columns);
    for (int i = 0; i < N && status == SB_OK; i++) {
        status = table.sink.row(&table.sink, (const sb_cell[]){sb_text(points[i].problem), sb_text(points[i].stepper),
                                                               sb_real(points[i].cost), sb_real(points[i].error)});
    }
    gsl_test_int(status, SB_OK, "the points are kept");
    sb_pareto_mark(&table, "cost", "error", on);
    for (int i = 0; i < N; i++) {
        gsl_test(on[i] != points[i].on, "%s at (%g, %g) is %s the front of %s", points[i].stepper, points[i].cost,
                 points[i].error, points[i].on ? "on" : "off", points[i].problem);
    }
    gsl_test_int(sb_pareto_count(&table, on, NULL, "y"), 2, "y is on it twice");
    gsl_test_int(sb_pareto_count(&table, on, "a", "y"), 1, "once of them for a");
}

int main(void) {
    fixture f;
    fixture_init(&f);
    stages(&f);
    rows_of_it(&f);
    default_runs(&f);
    counts_of_round_off(&f);
    measured_weights(&f);
    front(&f);
    fixture_free(&f);
    return gsl_test_summary();
}
