/* Running an analysis over problems and steppers: globs, refusals before anything runs, rows for what does not fit,
 * determinism, memory. */
#include <stdio.h>

#include "tests/analysis/fixture.h"

static const char *const names[] = {"order", "drift", "recurrence", "symplecticity", "momentum"};

static void globs(fixture *f) {
    sb_table table;
    rows(f, "recurrence", "tau=1", "oscillator", "euler_[ei]?pli*", &table);
    gsl_test_int(table.nrows, 2, "explicit and implicit Euler match");
    gsl_test(strcmp(sb_table_text(&table, 0, "stepper"), "euler_explicit") != 0, "in the order they are listed in");
    rows(f, "recurrence", "tau=1", "oscil*:omega=2", "ve?let", &table);
    gsl_test(table.nrows != 1 || strcmp(sb_table_text(&table, 0, "status"), "ok") != 0, "options go with a glob");
    gsl_test_int(run_one(f, "recurrence", "", "oscillator", "runge*", &table), SB_BAD_USAGE,
                 "a glob that matches nothing");
    gsl_test_int(run_one(f, "order", "levels=2", "pendulum", "*", &table), SB_OK, "all steppers on the pendulum");
    int fit = 0, unfit = 0;
    for (int i = 0; i < table.nrows; i++) {
        fit += strcmp(sb_table_text(&table, i, "status"), "fit") == 0;
        unfit += strstr(sb_table_text(&table, i, "status"), "does not take") != NULL;
    }
    gsl_test(fit < 4 || unfit < 6 || fit + unfit != f->registry.count[SB_KIND_STEPPER],
             "each fits or says why not: %d and %d of %d", fit, unfit, f->registry.count[SB_KIND_STEPPER]);
    /* No -p and no -s: the default problem and every stepper. */
    gsl_test_int(run_one(f, "recurrence", "tau=1", NULL, NULL, &table), SB_OK, "defaults");
    gsl_test_int(table.nrows, f->registry.count[SB_KIND_STEPPER], "every stepper has a row");
}

static void refusals(fixture *f) {
    sb_table table;
    gsl_test_int(run_one(f, "order", "", "dsp", "rk4", &table), SB_UNSUPPORTED,
                 "a pair named outright that does not fit");
    gsl_test(strstr(f->ctx.message, "chart") == NULL || table.ncolumns != 0,
             "is given what would help, before anything runs: %s", f->ctx.message);
    gsl_test_int(run_one(f, "orders", "", "dsp", "em", &table), SB_BAD_USAGE, "an unknown analysis");
    gsl_test(strstr(f->ctx.message, "order") == NULL, "is given the nearest: %s", f->ctx.message);
    gsl_test_int(run_one(f, "order", "level=3", "dsp", "em", &table), SB_BAD_USAGE, "an unknown option");
    gsl_test(strstr(f->ctx.message, "levels") == NULL, "is given the nearest: %s", f->ctx.message);
    static const char *const bad[] = {"h=0",      "h=-1",       "h=nan",    "h=inf",  "h=x",
                                      "levels=1", "levels=2.5", "t_end=-1", "ratio=1"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        gsl_test_int(run_one(f, "order", bad[i], "oscillator", "verlet", &table), SB_BAD_USAGE, "order with %s",
                     bad[i]);
    }
    gsl_test_int(run_one(f, "drift", "batches=4", "oscillator", "verlet", &table), SB_BAD_USAGE, "too few batches");
    gsl_test_int(run_one(f, "symplecticity", "steps=0", "oscillator", "verlet", &table), SB_BAD_USAGE, "no steps");
    gsl_test_int(run_one(f, "momentum", "start=middle", "dsp", "shake", &table), SB_BAD_USAGE, "a start that is none");
    gsl_test_int(run_one(f, "order", "", "oscillator:mass=1", "verlet", &table), SB_BAD_USAGE,
                 "an unknown parameter of the problem");
}

/* Of several named pairs those that fit are run, and the others have a row that says why and give the status. */
static void some_fit(fixture *f) {
    static const char *const problems[] = {"pendulum", "oscillator", "knife_edge"}, *const steppers[] = {"verlet",
                                                                                                         "vts"};
    sb_table table;
    sb_table_init(&table, &f->arena);
    gsl_test_int(sb_analysis_run(&f->ctx, "order", "levels=2", 3, problems, 0, NULL, 2, steppers, NULL, &table.sink),
                 SB_UNSUPPORTED, "verlet does not take two of three problems");
    int refused = 0, fits = 0;
    for (int i = 0; i < table.nrows; i++) {
        refused += strstr(sb_table_text(&table, i, "status"), "verlet does not take") != NULL;
        fits += strcmp(sb_table_text(&table, i, "status"), "fit") == 0;
    }
    gsl_test_int(refused, 2, "two rows say so");
    gsl_test_int(fits, 4, "the other four pairs are run");
    gsl_test_int(run_one(f, "creep", "t_end=0", "block_incline:angle=0.3", "v?s", &table), SB_BAD_USAGE,
                 "an option that makes sense for no pair");
    rows(f, "creep", "values=[1e-3,1e-4]", "block_incline:angle=0.3", "[rv][et][gs]", &table);
    gsl_test(table.nrows != 4 || strstr(sb_table_text(&table, 3, "status"), "vts has no parameter gamma") == NULL,
             "one that makes sense for some is a row for the others: %d rows", table.nrows);
}

/* Modes at the start need no step, so that no stepper has to take the system: across a circular orbit of
 * radius 1, omega^2 is mu/r^3 = 1. A hint names a formulation that keeps the equations before the one that does not,
 * and says so. */
static void without_steps(fixture *f) {
    sb_table table;
    gsl_test_int(run_one(f, "modes", "count=1", "kepler:e=0", "rattle", &table), SB_OK, "modes without constraints: %s",
                 f->ctx.message);
    near(sb_table_real(&table, 0, "omega_projected"), 1.0, 1e-14, "across a circular orbit");
    gsl_test_int(run_one(f, "modes", "count=1", "heavy_top", "verlet", &table), SB_OK,
                 "modes of what no step is taken: %s", f->ctx.message);
    gsl_test_int(run_one(f, "modes", "at=time,t=0.1", "heavy_top", "verlet", &table), SB_UNSUPPORTED,
                 "at a time there has to be a stepper");
    gsl_test_int(run_one(f, "order", "", "thread", "rk4", &table), SB_UNSUPPORTED, "rk4 takes no constraint");
    gsl_test(strstr(f->ctx.message, "try -w baumgarte (constraints as the forces of the index-1 equations") == NULL,
             "what keeps the equations comes first: %s", f->ctx.message);
    gsl_test_int(run_one(f, "order", "", "thread", "verlet", &table), SB_UNSUPPORTED, "nor does verlet");
    gsl_test(strstr(f->ctx.message, "try -w penalty (") == NULL || strstr(f->ctx.message, "another problem") == NULL,
             "which is left with another problem: %s", f->ctx.message);
}

static void formulations(fixture *f) {
    sb_table table;
    const char *problem = "*", *formulation = "chart", *stepper = "rk4";
    sb_table_init(&table, &f->arena);
    gsl_test(sb_analysis_run(&f->ctx, "order", "levels=2", 1, &problem, 1, &formulation, 1, &stepper, NULL,
                             &table.sink) != SB_OK,
             "rk4 in charts: %s", f->ctx.message);
    bool in_chart = false, refused = false;
    for (int i = 0; i < table.nrows; i++) {
        in_chart = in_chart || (strcmp(sb_table_text(&table, i, "problem"), "chart(dsp)") == 0 &&
                                sb_table_real(&table, i, "err_q") > 0.0);
        refused = refused || (strcmp(sb_table_text(&table, i, "problem"), "oscillator") == 0 &&
                              strstr(sb_table_text(&table, i, "status"), "chart") != NULL);
    }
    gsl_test(!in_chart, "the reformulated problem goes by its name");
    gsl_test(!refused, "one that offers no chart gets a row that says so");
    problem = "oscillator";
    gsl_test_int(
        sb_analysis_run(&f->ctx, "order", "levels=2", 1, &problem, 1, &formulation, 1, &stepper, NULL, &table.sink),
        SB_UNSUPPORTED, "named outright it is an error");
}

static bool same_cell(const sb_cell *a, const sb_cell *b) {
    if (a->type != b->type) {
        return false;
    }
    switch (a->type) {
    case SB_CELL_REAL: return memcmp(&a->real, &b->real, sizeof a->real) == 0;
    case SB_CELL_INT: return a->integer == b->integer;
    case SB_CELL_TEXT: return strcmp(a->text, b->text) == 0;
    case SB_CELL_EMPTY: break;
    }
    return true;
}

/* Every stepper on one problem of each class. */
static int run_classes(fixture *f, int k, sb_table *table) {
    static const char *const options[] = {"levels=3", "h=0.05,t_end=10", "tau=[0.5,3]", "steps=2", ""};
    static const char *const problems[] = {"oscillator", "dsp", "spherical_pendulum", "rolling_disk", "block_incline"};
    sb_table_init(table, &f->arena);
    return sb_analysis_run(&f->ctx, names[k], options[k], 5, problems, 0, NULL, 0, NULL, NULL, &table->sink);
}

/* Three members of an oscillator with random starts: errors are proportional to the amplitude, so that the three differ
 * and the median lies between the quartiles. */
static void members(fixture *f) {
    static const sb_ensemble starts = {.members = 3, .width = 0.5};
    const char *problem = "oscillator", *steppers[] = {"verlet", "rk4"};
    sb_table table;
    sb_table_init(&table, &f->arena);
    gsl_test_int(sb_analysis_run(&f->ctx, "workprec", "h=[0.02,0.01],t_end=10", 1, &problem, 0, NULL, 2, steppers,
                                 &starts, &table.sink),
                 SB_OK, "an ensemble: %s", f->ctx.message);
    gsl_test_int(table.nrows, 4, "a row per step and stepper");
    for (int i = 0; i < table.nrows; i++) {
        const double low = sb_table_real(&table, i, "err_q_q1"), middle = sb_table_real(&table, i, "err_q"),
                     high = sb_table_real(&table, i, "err_q_q3");
        gsl_test(!(low > 0.0 && low < middle && middle < high), "quartiles %g, %g, %g", low, middle, high);
        gsl_test(sb_table_real(&table, i, "failed") != 0.0, "no member fails");
    }
}

static void deterministic(fixture *f) {
    for (int i = 0; i < (int)(sizeof names / sizeof *names); i++) {
        sb_table first, second;
        const int status = run_classes(f, i, &first);
        gsl_test(status != SB_OK && status != SB_UNSUPPORTED, "%s on five problems: %s", names[i], f->ctx.message);
        gsl_test_int(run_classes(f, i, &second), status, "%s again", names[i]);
        int different = first.nrows != second.nrows;
        for (int k = 0; k < first.nrows * first.ncolumns && !different; k++) {
            different = !same_cell(&first.cells[k], &second.cells[k]);
        }
        gsl_test(different, "%s gives the same bits twice", names[i]);
        gsl_test(first.nrows < f->registry.count[SB_KIND_STEPPER], "%s has rows", names[i]);
    }
}

/* Memory that runs out at any allocation ends an analysis with SB_NO_MEMORY, and with nothing else amiss. */
static void out_of_memory(fixture *f) {
    static const char *const small[] = {"levels=2,t_end=0", "t_end=0,h=0.1", "tau=1", "steps=1", "h=0.1,t_end=0.1"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        int status = SB_NO_MEMORY;
        long budget = 0;
        for (; status == SB_NO_MEMORY && budget < 2000; budget++) {
            sb_table table;
            f->ctx.alloc_budget = budget;
            status =
                run_one(f, names[i], small[i], i == 2 ? "oscillator" : "rigid_body", i == 2 ? "verlet" : "dvp", &table);
        }
        f->ctx.alloc_budget = -1;
        gsl_test(status != SB_OK || budget < 10, "%s survives every failing allocation (%ld of them): %s", names[i],
                 budget, f->ctx.message);
    }
}

static void interrupted(fixture *f) {
    static volatile sig_atomic_t pressed = 1;
    sb_table table;
    f->ctx.interrupt = &pressed;
    gsl_test_int(run_one(f, "drift", "", "oscillator", "verlet", &table), SB_INTERRUPTED,
                 "an interrupted analysis says so");
    f->ctx.interrupt = NULL;
}

int main(void) {
    fixture f;
    fixture_init(&f);
    globs(&f);
    refusals(&f);
    some_fit(&f);
    without_steps(&f);
    formulations(&f);
    members(&f);
    deterministic(&f);
    out_of_memory(&f);
    interrupted(&f);
    fixture_free(&f);
    return gsl_test_summary();
}
