/* Counts right and wrong verdicts of `symplecticity`: symplectic steppers and others, also faulty ones, on classes of
 * problems on which no threshold was chosen. */
#include "analysis/conservation/properties.h"
#include "analysis/row.h"
#include "bench/data/data.h"
#include "bench/experiments/general/confusion.h"

enum { FIRST = 2000, MEMBERS = 3, STEPS = 2, LENGTH = 10 };
static const double per_scale[STEPS] = {12.0, 24.0}; /* steps per time scale of the problem */

/* Where a stepper is symplectic. */
typedef enum known_where { ALWAYS, FREE, LINEAR, NEVER } known_where;

/* A stepper, and the source of the answer. Those of FREE are symplectic Euler's or Verlet's method without constraints
 * and with a constant mass matrix; no answer is known otherwise. Those of LINEAR are the Cayley transform on linear
 * problems, which is symplectic. */
typedef struct known_stepper {
    const char *stepper;
    known_where where;
    const char *reason;
} known_stepper;

/* Sets *out to a row of known_symplecticity.csv. */
static int read_stepper(sb_context *ctx, const sb_table *rows, int i, known_stepper *out) {
    static const char *const names[] = {"always", "free", "linear", "never"};
    *out = (known_stepper){sb_table_text(rows, i, "stepper"), ALWAYS, sb_table_text(rows, i, "reason")};
    while (out->where < NEVER && !sb_table_is(rows, i, "symplectic", names[out->where])) {
        out->where++;
    }
    return sb_table_is(rows, i, "symplectic", names[out->where])
               ? SB_OK
               : sb_fail(ctx, SB_BAD_USAGE,
                         "known_symplecticity.csv: %s is symplectic \"%s\"; always, free, linear and never are known",
                         out->stepper, sb_table_text(rows, i, "symplectic"));
}

typedef struct job {
    const sb_problem_class *type;
    const known_stepper *with;
} job;

/* Sets the truth. Returns false if it is not known, or if there is no symplectic form: with nonholonomic constraints.
 */
static bool find_truth(known_where where, const sb_system *sys, bool *symplectic) {
    const bool free = sys->holonomic.m == 0 && (sys->flags & (unsigned)SB_HAS_VARIABLE_MASS) == 0;
    *symplectic = where == ALWAYS || where == FREE || (where == LINEAR && free && sys->potential.degree >= 0);
    return sys->nonholonomic.m == 0 && (where != FREE || free);
}

/* Adds the runs of one member, unless the stepper does not support the class or the answer is not known. Without a
 * class k counts the members of all of them. */
static int add_member(sb_context *ctx, sb_arena *arena, const void *data, int k, sb_confusion *n) {
    static const sb_found found[] = {[SB_NO] = SB_FOUND_NO, [SB_YES] = SB_FOUND_YES, [SB_UNCLEAR] = SB_FOUND_UNCLEAR};
    const job *of = data;
    const sb_problem_class *type = of->type != NULL ? of->type : &sb_evaluation_classes[k / MEMBERS];
    sb_system sys;
    sb_pair pair;
    bool symplectic;
    if (of->type == NULL && k % MEMBERS >= sb_problem_class_members(type->members, MEMBERS)) {
        return SB_OK;
    }
    SB_TRY(sb_problem_class_pair(ctx, arena, type, of->type != NULL ? k : FIRST + k % MEMBERS, of->with->stepper, &sys,
                                 &pair));
    const bool known_here =
        sb_stepper_check(ctx, pair.type, &sys) == SB_OK && find_truth(of->with->where, &sys, &symplectic);
    for (int i = 0; i < STEPS && known_here; i++) {
        sb_symplecticity measured;
        int failed = SB_OK;
        SB_TRY(sb_row_go_on(
            sb_symplecticity_measure(ctx, arena, &pair, sys.time_scale / per_scale[i], LENGTH, &measured), &failed));
        n->truth = symplectic ? "yes" : "no";
        n->of[symplectic ? SB_ANSWER_YES : SB_ANSWER_NO]
             [failed != SB_OK ? SB_FOUND_FAILED : found[measured.symplectic]]++;
    }
    return SB_OK;
}

/* Writes the row of a class, or with NULL that of all classes. */
static int study(sb_context *ctx, const sb_problem_class *type, const known_stepper *with, sb_sink *out) {
    sb_confusion n = {.name = type != NULL ? type->name : "all", .stepper = with->stepper, .reason = with->reason};
    return sb_confusion_study(ctx, &(job){type, with}, type != NULL ? FIRST : 0,
                              type != NULL ? sb_problem_class_members(type->members, MEMBERS)
                                           : MEMBERS * sb_evaluation_class_count,
                              add_member, &n, out);
}

/* Without their constraints the rods, threads and particles of the classes fall freely, which the explicit midpoint
 * rule solves exactly: on most classes these two are symplectic. */
static bool leaves_free_fall(sb_fault fault) {
    return fault == SB_FAULT_NO_HOLONOMIC || fault == SB_FAULT_NO_CURVATURE;
}

static int study_all(sb_bench *bench, sb_sink *out) {
    sb_table rows;
    SB_TRY(sb_data_table(bench->ctx, &bench->arena, "experiments/general/known_symplecticity.csv", &rows));
    for (int c = 0; c < sb_evaluation_class_count; c++) {
        const sb_problem_class *type = &sb_evaluation_classes[c];
        for (int i = 0; i < rows.nrows; i++) {
            known_stepper known;
            SB_TRY(read_stepper(bench->ctx, &rows, i, &known));
            SB_TRY(study(bench->ctx, type, &known, out));
        }
    }
    for (int k = 0; k < SB_FAULT_COUNT; k++) {
        if (sb_faulty_ends(sb_faulty_list[k].fault) && !leaves_free_fall(sb_faulty_list[k].fault)) {
            const known_stepper faulty = {sb_faulty_list[k].stepper.entry.name, NEVER,
                                          "the explicit midpoint rule: b_i a_ij + b_j a_ji = b_i b_j is violated"};
            SB_TRY(study(bench->ctx, NULL, &faulty, out));
        }
    }
    return SB_OK;
}

SB_DEFINE_EXPERIMENT(confusion_symplectic) {
    return sb_confusion_run(bench, sb_faulty_register,
                            "class,stepper,truth,reason,runs,yes,no,unclear,failed,false_alarms,missed", study_all,
                            "confusion_symplectic.csv");
}
