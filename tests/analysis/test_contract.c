/* The analyses that judge a step: what comes back from a reversed run, what is left of the constraints, the energy of a
 * long run, and the contract. */
#include "analysis/conservation/properties.h"
#include "analysis/pure_step.h"
#include "core/base/params.h"
#include "tests/analysis/fixture.h"

/* Explicit Euler there and back on x'' = -x multiplies by (1 - ih)(1 + ih) = 1 + h^2 a pair of steps. */
static void reversal(fixture *f) {
    const sb_pair euler = pair_of(f, "oscillator:omega=1,x0=1,v0=0", "euler_explicit");
    sb_reversibility r;
    const double h = 0.1;
    gsl_test_int(sb_reversibility_measure(&f->ctx, &f->arena, &euler, h, 20, &r), SB_OK, "Euler there and back");
    near(r.q, pow(1.0 + h * h, 20.0) - 1.0, 1e-14, "ends (1 + h^2)^steps from the origin"); /* 40 roundings */
    gsl_test(r.reverses != SB_NO, "and so does not reverse");
    static const char *const symmetric[][2] = {{"kepler", "verlet"}, {"dsp", "rattle"}, {"kepler", "midpoint"}};
    for (size_t i = 0; i < 3; i++) {
        const sb_pair pair = pair_of(f, symmetric[i][0], symmetric[i][1]);
        gsl_test_int(sb_reversibility_measure(&f->ctx, &f->arena, &pair, 0.05 * pair.sys->time_scale, 20, &r), SB_OK,
                     "%s there and back", symmetric[i][1]);
        gsl_test(r.reverses != SB_YES || !(r.path > 1e6 * r.rounding), "%s on %s comes home: %.2g of a path of %.2g",
                 symmetric[i][1], symmetric[i][0], r.q, r.path);
    }
}

/* At rest every step back undoes a step: there is no verdict, and the contract has no such check. */
static void at_rest(fixture *f) {
    sb_table table;
    rows(f, "reversibility", "", "thread", "rattle", &table);
    gsl_test(strstr(sb_table_text(&table, 0, "status"), "nothing moves") == NULL ||
                 sb_table_text(&table, 0, "reverses")[0] != '\0',
             "nothing moves: %s, %s", sb_table_text(&table, 0, "status"), sb_table_text(&table, 0, "reverses"));
    rows(f, "contract", "", "thread", "rattle", &table);
    gsl_test(sb_table_find(&table, "check", "reversibility", 0) >= 0, "and no check");
    rows(f, "reversibility", "", "thread:angle=0.5", "rattle", &table);
    gsl_test(strcmp(sb_table_text(&table, 0, "reverses"), "yes") != 0, "a thread that swings returns");
}

/* At h = 1e-7 of a time scale of order 1 a rounding error of the position, eps, is eps/h = 2e-9 of the velocity in each
 * step, and the defect of a method of order 2 would be 1e-2 h^3 = 1e-23. At h = 1e-5 that of the energy would be 1e-17,
 * and less in 400 steps. */
static void drowned(fixture *f) {
    static const struct {
        const char *options, *problem, *stepper, *check;
    } cases[] = {{"h=1e-7", "kepler", "verlet", "Jz"},
                 {"h=1e-7", "kepler", "verlet", "reversibility"},
                 {"h=1e-5", "pendulum", "em", "energy"}};
    sb_table table;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        rows(f, "contract", cases[i].options, cases[i].problem, cases[i].stepper, &table);
        const int row = sb_table_find(&table, "check", cases[i].check, 0);
        gsl_test(row < 0 || strcmp(sb_table_text(&table, row, "verdict"), "unclear") != 0 ||
                     sb_table_text(&table, row, "message")[0] == '\0',
                 "%s cannot be decided by tiny steps: %s", cases[i].check, sb_table_text(&table, row, "verdict"));
    }
    rows(f, "contract", "", "pendulum", "em", &table);
    const int row = sb_table_find(&table, "check", "energy", 0);
    gsl_test(row < 0 || strcmp(sb_table_text(&table, row, "verdict"), "passed") != 0,
             "the energy, at the default step");
}

/* Contacts know no way back: no numbers, a row that says why, and the status of a pair that does not fit. */
static void one_way(fixture *f) {
    sb_table table;
    const int status = run_one(f, "reversibility", "", "bouncing_ball", "moreau", &table);
    gsl_test(status != SB_UNSUPPORTED || strstr(f->ctx.message, "no step back in time") == NULL,
             "a named pair with contacts is refused (%d): %s", status, f->ctx.message);
    gsl_test_int(table.nrows, 1, "with a row");
    gsl_test(!isnan(sb_table_real(&table, 0, "back_q")) ||
                 strstr(sb_table_text(&table, 0, "status"), "no step back in time") == NULL,
             "which says why: %s", sb_table_text(&table, 0, "status"));
}

/* Shake keeps positions on the constraints, rattle velocities as well; spook relaxes both, and rows of the velocity
 * where they have a gamma. */
static void violation(fixture *f) {
    sb_constraint_residuals v;
    const sb_pair shake = pair_of(f, "dsp", "shake"), rattle = pair_of(f, "dsp", "rattle"),
                  relaxed = pair_of(f, "dsp", "spook"), sleigh = pair_of(f, "chaplygin_sleigh", "spook:gamma=0.1");
    gsl_test_int(sb_constraint_residuals_measure(&f->ctx, &f->arena, &shake, 0.01, 200, &v), SB_OK, "shake");
    gsl_test(!v.position || !(v.g < 1e-13), "shake keeps g = 0: %.2g", v.g);
    gsl_test_int(sb_constraint_residuals_measure(&f->ctx, &f->arena, &rattle, 0.01, 200, &v), SB_OK, "rattle");
    gsl_test(!v.position || !v.tangency || !(v.gv < 1e-12), "rattle keeps G v = 0 too: %.2g", v.gv);
    gsl_test_int(sb_constraint_residuals_measure(&f->ctx, &f->arena, &relaxed, 0.01, 200, &v), SB_OK, "spook");
    gsl_test(v.position || v.tangency || !(v.g > 1e-6), "spook relaxes them: %.2g", v.g);
    gsl_test_int(sb_constraint_residuals_measure(&f->ctx, &f->arena, &sleigh, 0.01, 200, &v), SB_OK,
                 "spook on the sleigh");
    gsl_test(v.g != 0.0 || v.tangency || !(v.gv > 1e-6),
             "where a nonholonomic row is relaxed, A v is what is left: %.2g", v.gv);
    sb_table table;
    rows(f, "constraints", "", "dsp", "rattle", &table);
    gsl_test(sb_table_unit(&table, 0, "gv_max") != sb_table_real(&table, 0, "gv_max") ||
                 !(sb_table_unit(&table, 0, "gv_max") < 1e-12),
             "what is round-off is written as a bound: %g", sb_table_real(&table, 0, "gv_max"));
    rows(f, "constraints", "", "kepler", "verlet", &table);
    gsl_test(strstr(sb_table_text(&table, 0, "status"), "no constraint") == NULL, "without constraints a row says so");
}

/* Explicit Euler multiplies the oscillator's energy by 1 + h^2 a step; midpoint keeps it. */
static void energy(fixture *f) {
    sb_table table;
    const double h = 0.01;
    rows(f, "energy", "h=0.01,steps=1005,blocks=10", "oscillator:omega=1,x0=1,v0=0", "euler_explicit", &table);
    gsl_test_int(table.nrows, 10, "a row a block, the last one shorter");
    near(sb_table_real(&table, 9, "step"), 1005.0, 0.0, "which ends with the run");
    near(sb_table_real(&table, 9, "high"), pow(1.0 + h * h, 1005.0) - 1.0, 1e-12,
         "Euler's energy"); /* 1000 roundings */
    near(sb_table_real(&table, 0, "low"), h * h, 1e-15, "after the first step");
    rows(f, "energy", "steps=1000,blocks=4", "oscillator", "midpoint", &table);
    gsl_test(!(fabs(sb_table_real(&table, 3, "high")) < 1e-13), "the midpoint rule keeps it: %.2g",
             sb_table_real(&table, 3, "high"));
    rows(f, "energy", "h=100,steps=1000000,blocks=10", "oscillator:omega=1,x0=1,v0=0", "euler_explicit", &table);
    gsl_test(strstr(sb_table_text(&table, table.nrows - 1, "status"), "ended at step") == NULL,
             "a run that overflows says where: %s", sb_table_text(&table, table.nrows - 1, "status"));
}

/* Every built-in on a problem it takes behaves; what is checked is what is claimed. */
static void contract(fixture *f) {
    static const struct {
        const char *problem, *stepper, *check;
    } known[] = {{"kepler", "rk4", "order of q"}, {"dsp", "rattle", "tangency"},
                 {"dsp", "shake", "position"},    {"dsp", "shake", "Jz"},
                 {"dsp", "em", "energy"},         {"kepler", "midpoint", "reversibility"}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        sb_table table;
        bool seen = false;
        rows(f, "contract", "", known[i].problem, known[i].stepper, &table);
        for (int k = 0; k < table.nrows; k++) {
            seen = seen || strcmp(sb_table_text(&table, k, "check"), known[i].check) == 0;
            gsl_test(strcmp(sb_table_text(&table, k, "verdict"), "passed") != 0, "%s on %s: %s: %s", known[i].stepper,
                     known[i].problem, sb_table_text(&table, k, "check"), sb_table_text(&table, k, "message"));
        }
        gsl_test(!seen, "%s is held to %s", known[i].stepper, known[i].check);
    }
    /* Of a motion with impacts no order is claimed, and none is checked; without an exact solution there is nothing to
     * measure one by. */
    sb_table impacts;
    rows(f, "contract", "", "bouncing_ball", "spook", &impacts);
    for (int k = 0; k < impacts.nrows; k++) {
        gsl_test(strncmp(sb_table_text(&impacts, k, "check"), "order", 5) == 0,
                 "%s is checked where the motion is smooth alone", sb_table_text(&impacts, k, "check"));
    }
    rows(f, "order", "levels=2", "painleve_rod", "spook", &impacts);
    gsl_test(strstr(sb_table_text(&impacts, 0, "status"), "smooth") == NULL &&
                 isnan(sb_table_real(&impacts, 0, "err_q")),
             "a smooth reference is refused: %s", sb_table_text(&impacts, 0, "status"));
    /* A step past the stability limit is no fault of the step; one in which Newton fails is reported. */
    sb_table table;
    rows(f, "contract", "h=1e6", "dsp", "rattle", &table);
    bool reported = false;
    for (int k = 0; k < table.nrows; k++) {
        reported = reported || (strcmp(sb_table_text(&table, k, "check"), "steps") == 0 &&
                                strstr(sb_table_text(&table, k, "message"), "step 1 of length 1e+06 fails") != NULL);
    }
    gsl_test(!reported, "a step that fails is reported");
}

/* A mass that depends on the last step's multipliers loses momenta and reversibility: they are not claimed, and all
 * that is left holds. */
static void configuration(fixture *f) {
    static const char *const steppers[] = {"shake:geometric=1", "spook:eps=0,geometric=1", "vts:geometric=diag"};
    sb_table table;
    for (int i = 0; i < 3; i++) {
        rows(f, "contract", "", "dsp", steppers[i], &table);
        gsl_test_int(sb_table_find(&table, "verdict", "failed", 0), -1, "%s: what it claims holds", steppers[i]);
        gsl_test_int(sb_table_find(&table, "check", "Jz", 0), -1, "%s claims no momentum", steppers[i]);
        gsl_test_int(sb_table_find(&table, "check", "reversibility", 0), -1, "%s: no reversibility", steppers[i]);
    }
    rows(f, "contract", "", "dsp", "shake:geometric=0", &table);
    gsl_test(sb_table_find(&table, "check", "Jz", 0) < 0 || sb_table_find(&table, "check", "reversibility", 0) < 0,
             "shake claims both");
}

/* ---- What a failure says. ---- */

/* Verlet that reports a velocity 0.25 larger after steps back: positions return, and velocities do not. */
static int report_more(const sb_method *me, const sb_state *in, const sb_state *next, double *v, double *lambda) {
    (void)me;
    (void)next;
    (void)lambda;
    if (v != NULL && in->h < 0.0) {
        v[0] += 0.25;
    }
    return SB_OK;
}

/* The row of a failure has the number that failed, what is allowed, and ends with what to do. */
static void failures(fixture *f) {
    sb_pair pair = pair_of(f, "kepler", "verlet");
    sb_stepper altered = *pair.type;
    sb_table table;
    altered.report = report_more;
    pair.type = &altered;
    sb_table_init(&table, &f->arena);
    const sb_analysis *contract = (const sb_analysis *)sb_registry_find(&f->ctx, SB_KIND_ANALYSIS, "contract");
    void *config = sb_alloc(&f->arena, 1, contract->entry.config_size);
    gsl_test(sb_config_parse(&f->ctx, &f->arena, &contract->entry, "", config) != SB_OK ||
                 table.sink.begin(&table.sink, contract->ncolumns, contract->columns) != SB_OK ||
                 sb_analysis_run_pair(&f->ctx, contract, config, &pair, &table.sink) != SB_OK,
             "a contract: %s", f->ctx.message);
    const int row = sb_table_find(&table, "check", "reversibility", 0);
    gsl_test(row < 0 || strcmp(sb_table_text(&table, row, "verdict"), "failed") != 0, "velocities do not return");
    near(sb_table_real(&table, row, "measured"), 0.25, 1e-9, "the number that failed");
    gsl_test(!(sb_table_real(&table, row, "allowed") < 1e-6), "what round-off allows");
    gsl_test(strstr(sb_table_text(&table, row, "message"), "a velocity differs by 0.25") == NULL, "the quantity: %s",
             sb_table_text(&table, row, "message"));
    for (int i = 0; i < table.nrows; i++) {
        const bool failed = strcmp(sb_table_text(&table, i, "verdict"), "failed") == 0;
        gsl_test(isnan(sb_table_real(&table, i, "allowed")), "%s: a limit", sb_table_text(&table, i, "check"));
        gsl_test(failed && strpbrk(sb_table_text(&table, i, "message"), ";") == NULL, "%s: what to do: %s",
                 sb_table_text(&table, i, "check"), sb_table_text(&table, i, "message"));
    }
}

/* ---- What a step touches. ---- */

/* A step that stays where it is, with one of these faults. */
static enum { REMEMBERS, WRITES, READS } fault;

static int impure_init(sb_method *me) {
    long *steps;
    SB_NEW(me->arena, steps, 1);
    me->work = steps;
    me->naux = 1;
    return SB_OK;
}

static int impure_step(const sb_method *me, const sb_state *in, double h, sb_state *out) {
    const int n = me->sys->n;
    sb_state_copy(me, in, out);
    ++*(long *)me->work;
    switch (fault) {
    case REMEMBERS: out->q[0] += (double)*(long *)me->work; break;
    case WRITES: /* behind its argument, before and behind its result */
        in->q[n] = 1.0;
        out->v[-1] = out->v[n] = 1.0;
        break;
    case READS: out->q[0] = in->q[n]; break;
    }
    out->t = in->t + h;
    return SB_OK;
}

static const sb_stepper impure = {.entry = {"impure", "a step with a fault", "none", NULL, 0},
                                  .order = 1,
                                  .supports = SB_HAS_HOLONOMIC,
                                  .init = impure_init,
                                  .step = impure_step};

/* Numbers that differ are counted in every array, and those of several comparisons add up, also where they are equally
 * many. */
static void touched(fixture *f) {
    sb_pair pair = pair_of(f, "pendulum", "rattle");
    sb_method me = {0};
    sb_state s[3];
    int count = -1;
    pair.type = &impure;
    pair.config = NULL;
    int status = sb_method_init(&f->ctx, &f->arena, pair.type, pair.config, pair.sys, &me);
    for (int i = 0; i < 3; i++) {
        status = status == SB_OK ? sb_state_new(&me, &f->arena, &s[i]) : status;
    }
    status = status == SB_OK ? sb_method_start(&me, 0.0, NULL, NULL, 0.1, &s[0]) : status;
    gsl_test(status != SB_OK, "a start (%s)", f->ctx.message);
    sb_state_copy(&me, &s[0], &s[1]);
    double *const arrays[] = {s[1].q, s[1].v, s[1].lambda, s[1].aux};
    for (int k = 0; k < 4; k++) {
        arrays[k][0] += 1.0;
        gsl_test_int(sb_state_differences(&me, &s[0], &s[1]), k + 1, "a number in each of %d arrays", k + 1);
    }
    s[1].q[1] += 1.0;
    gsl_test_int(sb_state_differences(&me, &s[0], &s[1]), 5, "and another one");
    fault = REMEMBERS;
    status = sb_method_step(&me, &s[0], 0.1, &s[1]); /* so that a new method is behind by one */
    gsl_test(status != SB_OK, "a step");
    status = sb_step_repeat(&f->ctx, &f->arena, &pair, 0.1, &me, &s[0], &s[1], &s[2], &count);
    gsl_test(status != SB_OK || count != 2, "q0 of the step repeated and of a new method differ: %d", count);
    sb_state_copy(&me, &s[0], &s[1]);
    fault = WRITES;
    status = sb_step_fenced(&f->arena, 0.1, &me, &s[0], &s[1], &count);
    gsl_test(status != SB_OK || count != 3, "three numbers beside arrays are written: %d", count);
    fault = READS;
    status = sb_step_fenced(&f->arena, 0.1, &me, &s[0], &s[1], &count);
    gsl_test(status != SB_OK || count != 1, "one that is read changes a number: %d", count);
}

int main(void) {
    fixture f;
    fixture_init(&f);
    failures(&f);
    touched(&f);
    reversal(&f);
    one_way(&f);
    at_rest(&f);
    drowned(&f);
    violation(&f);
    energy(&f);
    contract(&f);
    configuration(&f);
    fixture_free(&f);
    return gsl_test_summary();
}
