/* Counts right and wrong verdicts of `drift` on kinds of problems and steppers on which no threshold was chosen or
 * changed. The right answer is that of theory, checked by a run of sixteen times the length, and by
 * runs with a quarter of the step. */
#include "analysis/row.h"
#include "bench/experiments/general/confusion.h"
#include "bench/experiments/general/foreign.h"

enum { MEMBERS = 6, STEPS = 2, BATCHES = 32, LONGER = 16, RUNS = MEMBERS * STEPS };
static const double per_scale[STEPS] = {2.0, 8.0}; /* steps per time scale of the problem */
static const double scales = 300.0;                /* length of a run in time scales */

static const char *const answers[SB_ANSWERS] = {"no", "yes", "open"};

#define SYMPLECTIC                                                                                                     \
    "symplectic: the modified energy is conserved over exponentially long times at small steps, hlw06 IX.8"
#define FIFTH "order 4, not symplectic: the energy changes by O(h^5) per unit of time, hlw06 IX"
#define BORIS "neither symplectic nor, in this field, of a conserved modified energy, hairer18"

typedef struct known_drift {
    sb_foreign kind;
    const char *stepper;
    sb_answer theory;
    const char *reason;
} known_drift;
static const known_drift known[] = {
    {SB_FOREIGN_CLUSTER, "verlet", SB_ANSWER_NO, SYMPLECTIC},
    {SB_FOREIGN_CLUSTER, "euler_symplectic", SB_ANSWER_NO, SYMPLECTIC},
    {SB_FOREIGN_CLUSTER, "rk4", SB_ANSWER_YES, FIFTH},
    {SB_FOREIGN_CHARGE, "foreign_boris", SB_ANSWER_OPEN, BORIS},
    {SB_FOREIGN_CHARGE, "rk4", SB_ANSWER_YES, FIFTH},
    {SB_FOREIGN_ENCOUNTER, "verlet", SB_ANSWER_NO, SYMPLECTIC},
    {SB_FOREIGN_ENCOUNTER, "kahan_li8(verlet)", SB_ANSWER_NO, SYMPLECTIC},
    {SB_FOREIGN_ENCOUNTER, "rk4", SB_ANSWER_YES, FIFTH},
    {SB_FOREIGN_ROLLING, "nonholonomic_variational", SB_ANSWER_OPEN,
     "good energies come from the integrability of examples, modin20"},
    {SB_FOREIGN_ROLLING, "moreau", SB_ANSWER_OPEN, "good energies come from the integrability of examples, modin20"},
    {SB_FOREIGN_UNIFORM, "foreign_boris", SB_ANSWER_NO, "its field is uniform and its well harmonic, hairer18"},
    {SB_FOREIGN_UNIFORM, "rk4", SB_ANSWER_YES, FIFTH},
    {SB_FOREIGN_NETWORK, "verlet", SB_ANSWER_NO, SYMPLECTIC},
    {SB_FOREIGN_NETWORK, "midpoint", SB_ANSWER_NO, "conserves quadratic invariants, cooper87"},
    {SB_FOREIGN_NETWORK, "foreign_drag", SB_ANSWER_YES, "takes 2e-8 of the kinetic energy per time scale"},
    {SB_FOREIGN_NETWORK, "rk4", SB_ANSWER_YES, FIFTH},
};

static int add_run(sb_context *ctx, sb_arena *arena, const void *data, int k, sb_confusion *n) {
    const known_drift *of = data;
    const double steps = per_scale[k % STEPS];
    sb_system sys;
    sb_pair pair;
    sb_drift *energy; /* the first one */
    int count, failed = SB_OK;
    sb_energy_change change;
    sb_answer longer = SB_ANSWER_OPEN;
    bool confirmed;
    SB_TRY(sb_foreign_make(ctx, arena, of->kind, k / STEPS, &sys));
    SB_TRY(sb_pair_build(ctx, arena, &sys, of->stepper, &pair));
    const double h = sys.time_scale / steps;
    const long length = lround(scales * steps);
    SB_TRY(sb_row_go_on(sb_drift_measure(ctx, arena, &pair, h, length, BATCHES, &energy, &count), &failed));
    if (failed != SB_OK) {
        n->of[SB_ANSWER_OPEN][SB_FOUND_FAILED]++;
        return SB_OK;
    }
    SB_TRY(sb_row_go_on(sb_confusion_energy(ctx, arena, &sys, of->stepper, h, length, LONGER, 1, &change), &failed));
    longer = failed == SB_OK ? sb_energy_change_answer(&change, 0.125, 0.5) : SB_ANSWER_OPEN;
    sb_answer truth = of->theory == SB_ANSWER_YES || failed != SB_OK ? SB_ANSWER_YES : longer;
    SB_TRY(sb_confusion_check(ctx, arena, &sys, of->stepper, h, length, &truth, &confirmed));
    n->longer += longer == SB_ANSWER_YES;
    n->confirmed += confirmed;
    n->of[truth][sb_found_drift[energy->verdict]]++;
    return SB_OK;
}

static int study(sb_bench *bench, sb_sink *out) {
    for (int i = 0; i < SB_COUNT(known); i++) {
        sb_confusion n = {.name = sb_foreign_name[known[i].kind],
                          .stepper = known[i].stepper,
                          .truth = answers[known[i].theory],
                          .reason = known[i].reason,
                          .fault = SB_ANSWER_YES};
        SB_TRY(sb_confusion_study(bench->ctx, &known[i], 0, RUNS, add_run, &n, out));
    }
    return SB_OK;
}

SB_DEFINE_EXPERIMENT(confusion_foreign) {
    return sb_confusion_run(
        bench, sb_foreign_register,
        "class,stepper,theory,reason,runs,drifting,longer,steady,confirmed,yes,no,unclear,lost,failed,"
        "false_alarms,missed",
        study, "confusion_foreign.csv");
}
