/* Verdicts against right answers: the counts of a table, classes of problems, and a registry with further steppers. */
#include "bench/experiments/general/confusion.h"

#include <string.h>

#include "analysis/conservation/quantities.h"
#include "analysis/row.h"
#include "bench/card/evaluate.h"
#include "bench/check/systems.h"
#include "bench/runner/registry.h"

void sb_problem_class_draw(const sb_problem_class *type, int k, double u[3]) {
    static const double irrational[3] = {0.6180339887498949, 0.4142135623730951, 0.7320508075688773};
    for (int i = 0; i < 3; i++) {
        const double x = 0.5 + irrational[i] * k;
        u[i] = type->low[i] + (x - floor(x)) * (type->high[i] - type->low[i]);
    }
}

int sb_problem_class_build(sb_context *ctx, sb_arena *arena, const char *format, const char *chart, const double u[3],
                           sb_system *out) {
    char text[256];
    for (int k = 0; k < sb_check_system_count(); k++) {
        if (strcmp(sb_check_system_name(k), format) == 0) {
            return sb_check_system_make(ctx, arena, k, out);
        }
    }
    snprintf(text, sizeof text, format, u[0], u[1], u[2]);
    return sb_system_build(ctx, arena, text, chart != NULL, &chart, out);
}

int sb_problem_class_pair(sb_context *ctx, sb_arena *arena, const sb_problem_class *type, int k, const char *stepper,
                          sb_system *sys, sb_pair *out) {
    double u[3];
    sb_problem_class_draw(type, k, u);
    SB_TRY(sb_problem_class_build(ctx, arena, type->format, type->chart, u, sys));
    return sb_pair_build(ctx, arena, sys, stepper, out);
}

int sb_problem_class_members(const char *members, int most) { return strcmp(members, "one") == 0 ? 1 : most; }

#define SYMPLECTIC "symplectic: the modified energy is conserved, hlw06 IX.8"
#define CONSERVING "conserves the energy by construction"
#define FIFTH "order 4, not symplectic: the energy changes by O(h^5) per unit of time, hlw06 IX"
#define FIRST "order 1, not symplectic: the energy changes by O(h) per unit of time, hlw06 IX"
#define THIRD "order 3, not symplectic: the energy changes by O(h^3) per unit of time, hlw06 IX"
#define CONJUGATE "conjugate to a symplectic method: hlw06 VI.8"
#define EULER "symplectic Euler without constraints: hlw06 VI.3.3"
#define VERLET "Verlet with positions at half steps: hlw06 VI.3.4"
#define EXPLICIT "explicit midpoint rule, not symplectic: the energy changes by O(h^3) per unit of time, hlw06 IX"
#define DAMPING "damps: on linear problems each step takes energy, hilber77, chung93, newmark59, bathe05, hw96 V.1"

const sb_problem_class sb_evaluation_classes[] = {
    SB_CLASS("FPUT chain", "stiff frequency", NULL, "fput:omega=%.9g", SB_FROM_TO(10.0, 70.0, 0.0, 1.0, 0.0, 1.0),
             {"verlet", false, SYMPLECTIC}, {"euler_symplectic", false, SYMPLECTIC}, {"midpoint", false, SYMPLECTIC},
             {"rk4", true, FIFTH}),
    SB_CLASS("double pendulum", "angles, mass", NULL, "double_pendulum:theta1=%.9g,theta2=%.9g,m2=%.9g",
             SB_FROM_TO(0.3, 2.4, 0.2, 2.9, 0.3, 3.0), {"midpoint", false, SYMPLECTIC}, {"rk4", true, FIFTH},
             {"euler_explicit", true, FIRST}),
    SB_CLASS("outer solar system", "number of planets", NULL, "outer_solar_system:planets=%.0f",
             SB_FROM_TO(1.6, 5.4, 0.0, 1.0, 0.0, 1.0), {"verlet", false, SYMPLECTIC},
             {"euler_symplectic", false, SYMPLECTIC}, {"rkn:table=calvo_sanz_serna4", false, SYMPLECTIC},
             {"rkn", true, FIFTH}, {"rk4", true, FIFTH}),
    SB_CLASS("Andrews' mechanism", "torque, stiffness", NULL, "andrews:mom=%.9g,c0=%.9g",
             SB_FROM_TO(0.02, 0.05, 3000.0, 6000.0, 0.0, 1.0), {"del", false, SYMPLECTIC}),
    SB_CLASS("rods", "angle, mass", NULL, "rod_chain:n=2,theta0=%.9g,m=%.9g", SB_FROM_TO(0.2, 2.5, 0.5, 5.0, 0.0, 1.0),
             {"shake", false, SYMPLECTIC}, {"del:quadrature=left", false, SYMPLECTIC}, {"em", false, CONSERVING},
             {"generalized_alpha", true, DAMPING}),
    SB_CLASS("rods in their angles", "angle, mass", "chart", "rod_chain:n=2,theta0=%.9g,m=%.9g",
             SB_FROM_TO(0.2, 2.5, 0.5, 5.0, 0.0, 1.0), {"midpoint", false, SYMPLECTIC}, {"rk4", true, FIFTH}),
    SB_CLASS("star", "angle, mass", NULL, "star:arms=2,theta0=%.9g,m=%.9g", SB_FROM_TO(0.2, 2.5, 0.5, 5.0, 0.0, 1.0),
             {"rattle", false, SYMPLECTIC}),
    SB_CLASS("thread", "angle, last mass", NULL, "thread:n=2,angle=%.9g,end_mass=%.9g",
             SB_FROM_TO(0.1, 1.5, 0.3, 4.0, 0.0, 1.0), {"shake", false, SYMPLECTIC}, {"rattle", false, SYMPLECTIC}),
    SB_CLASS("four-bar linkages", "angle, mass", NULL, "four_bar:N=2,phi0=%.9g,m=%.9g",
             SB_FROM_TO(-1.4, -0.5, 0.5, 5.0, 0.0, 1.0), {"rattle", false, SYMPLECTIC}, {"del", false, SYMPLECTIC},
             {"generalized_alpha", true, DAMPING}),
    SB_CLASS("car axis", "mass, height of the road", NULL, "car_axis:M=%.9g,r=%.9g",
             SB_FROM_TO(5.0, 20.0, 0.05, 0.15, 0.0, 1.0), {"projection(rk4)", true, FIFTH}),
    SB_CLASS("quartic spring", "one", NULL, "check.quartic", SB_FROM_TO(0.0, 1.0, 0.0, 1.0, 0.0, 1.0),
             {"yoshida4(verlet)", false, SYMPLECTIC}, {"suzuki4(midpoint)", false, SYMPLECTIC},
             {"kahan_li8(verlet)", false, SYMPLECTIC}, {"gauss", false, SYMPLECTIC},
             {"gauss:stages=3", false, SYMPLECTIC}, {"lobatto_iiia_b", false, SYMPLECTIC},
             {"trapezoidal", false, CONJUGATE}, {"reg", false, EULER}, {"vts", false, EULER}, {"xpbd", false, EULER},
             {"moreau", false, VERLET}, {"em", false, CONSERVING}, {"avf", false, CONSERVING}, {"rk4", true, FIFTH},
             {"radau_iia", true, THIRD}, {"bdf", true, DAMPING}, {"euler_implicit", true, FIRST},
             {"euler_linear", true, FIRST}, {"faulty_right", true, EXPLICIT}, {"faulty_weak_spring", true, EXPLICIT},
             {"faulty_euler", true, FIRST}),
    SB_CLASS("oblique coordinates", "one", NULL, "check.oblique", SB_FROM_TO(0.0, 1.0, 0.0, 1.0, 0.0, 1.0),
             {"newmark", false, CONSERVING}, {"newmark:gamma=0.6,beta=0.3025", true, DAMPING}, {"hht", true, DAMPING},
             {"generalized_alpha", true, DAMPING}, {"bathe", true, DAMPING}, {"faulty_right", true, EXPLICIT}),
    SB_CLASS("polar coordinates", "one", NULL, "check.mass", SB_FROM_TO(0.0, 1.0, 0.0, 1.0, 0.0, 1.0),
             {"midpoint", false, SYMPLECTIC}, {"gauss", false, SYMPLECTIC}, {"rk4", true, FIFTH}),
    SB_CLASS("catenary", "one", NULL, "check.curved", SB_FROM_TO(0.0, 1.0, 0.0, 1.0, 0.0, 1.0), {NULL, false, NULL}),
};
const int sb_evaluation_class_count = sizeof sb_evaluation_classes / sizeof *sb_evaluation_classes;

/* ---- Counts. ---- */

const sb_found sb_found_drift[SB_DRIFT_VERDICTS] = {[SB_DRIFT_NONE] = SB_FOUND_NO,
                                                    [SB_DRIFT_YES] = SB_FOUND_YES,
                                                    [SB_DRIFT_UNCLEAR] = SB_FOUND_UNCLEAR,
                                                    [SB_DRIFT_LOST] = SB_FOUND_LOST};

/* Returns the sum of a verdict over the right answers. */
static sb_cell with_verdict(const sb_confusion *n, sb_found found) {
    return sb_int(n->of[SB_ANSWER_NO][found] + n->of[SB_ANSWER_YES][found] + n->of[SB_ANSWER_OPEN][found]);
}

/* Returns the number of runs with a right answer. */
static long with_answer(const sb_confusion *n, sb_answer answer) {
    long sum = 0;
    for (int k = 0; k < SB_FOUNDS; k++) {
        sum += n->of[answer][k];
    }
    return sum;
}

int sb_confusion_write(const sb_confusion *n, sb_sink *out) {
    const long no = with_answer(n, SB_ANSWER_NO), yes = with_answer(n, SB_ANSWER_YES),
               runs = no + yes + with_answer(n, SB_ANSWER_OPEN);
    const bool drift = n->fault == SB_ANSWER_YES;
    return runs == 0
               ? SB_OK
               : SB_ROW(out, sb_text(n->verdict), sb_text(n->name), sb_text(n->members), sb_text(n->stepper),
                        sb_text(n->truth), sb_text(n->truth), sb_text(n->reason), sb_int(runs), sb_int(yes),
                        sb_int(n->longer), sb_int(no), sb_int(n->confirmed), sb_int(yes), sb_int(no),
                        with_verdict(n, SB_FOUND_YES), with_verdict(n, SB_FOUND_NO), with_verdict(n, SB_FOUND_UNCLEAR),
                        with_verdict(n, SB_FOUND_LOST), with_verdict(n, SB_FOUND_FAILED),
                        sb_int(n->of[drift ? SB_ANSWER_NO : SB_ANSWER_YES][drift ? SB_FOUND_YES : SB_FOUND_NO]),
                        sb_int(n->of[drift ? SB_ANSWER_YES : SB_ANSWER_NO][drift ? SB_FOUND_NO : SB_FOUND_YES]));
}

int sb_confusion_study(sb_context *ctx, const void *data, int first, int count,
                       int (*add)(sb_context *ctx, sb_arena *scratch, const void *data, int k, sb_confusion *n),
                       sb_confusion *n, sb_sink *out) {
    for (int k = first; k < first + count; k++) {
        SB_SCRATCH(scratch, ctx);
        SB_TRY(add(ctx, &scratch, data, k, n));
    }
    return sb_confusion_write(n, out);
}

int sb_families_list(sb_context *ctx, sb_arena *arena, bool problems, sb_families *out) {
    const sb_registry *registry = ctx->registry;
    const int own = sb_check_system_count();
    out->count = own + (problems ? registry->count[SB_KIND_PROBLEM] : 0);
    SB_NEW(arena, out->sys, out->count);
    SB_NEW(arena, out->family, out->count);
    SB_NEW(arena, out->first, out->count);
    for (int k = 0; k < out->count; k++) {
        SB_TRY(k < own ? sb_check_system_make(ctx, arena, k, &out->sys[k])
                       : sb_system_build(ctx, arena, registry->entries[SB_KIND_PROBLEM][k - own]->name, 0, NULL,
                                         &out->sys[k]));
        out->family[k] = sb_family_of(arena, out->sys[k].flags);
        SB_TRY(out->family[k] != NULL ? SB_OK : SB_NO_MEMORY);
        out->first[k] = true;
        for (int i = 0; i < k; i++) {
            out->first[k] = out->first[k] && strcmp(out->family[i], out->family[k]) != 0;
        }
    }
    return SB_OK;
}

/* ---- Right answers. ---- */

int sb_confusion_energy(sb_context *ctx, sb_arena *arena, const sb_system *sys, const char *stepper, double h,
                        long part, long parts, long wide, sb_energy_change *out) {
    sb_method method;
    sb_orbit orbit;
    sb_quantities qs;
    double lo = INFINITY, hi = -INFINITY, mean[2] = {0.0, 0.0}, largest = 0.0, *value, *size;
    SB_TRY(sb_bench_orbit(ctx, arena, sys, stepper, h, &method, &orbit));
    SB_TRY(sb_quantities_init(ctx, arena, sys, h, &qs));
    SB_TRY(SB_VECTORS(arena, qs.count, &value, &size));
    for (long k = 0; k < parts * part; k++) {
        SB_TRY(sb_orbit_advance(&orbit, h, 1));
        SB_TRY(sb_quantities_follow(&qs, orbit.now.t, orbit.now.q, orbit.now.v));
        if (k >= wide * part && k < (parts - 1) * part) {
            continue;
        }
        SB_TRY(sb_quantities_value(&qs, orbit.now.t, orbit.now.q, orbit.now.v, value, size));
        mean[0] += k < part ? value[0] / (double)part : 0.0;
        mean[1] += k >= (parts - 1) * part ? value[0] / (double)part : 0.0;
        lo = k < wide * part ? fmin(lo, value[0]) : lo;
        hi = k < wide * part ? fmax(hi, value[0]) : hi;
        largest = sb_larger(largest, size[0]);
    }
    *out = (sb_energy_change){fabs(mean[1] - mean[0]), fmax(hi - lo, 1e-12 * largest)};
    return SB_OK;
}

sb_answer sb_energy_change_answer(const sb_energy_change *e, double least, double most) {
    return !(e->change < most * e->range) ? SB_ANSWER_YES
           : e->change < least * e->range ? SB_ANSWER_NO
                                          : SB_ANSWER_OPEN;
}

int sb_confusion_check(sb_context *ctx, sb_arena *arena, const sb_system *sys, const char *stepper, double h,
                       long steps, sb_answer *answer, bool *confirmed) {
    /* A drift that exceeds the oscillation changes the energy by twice the range of the first half. */
    enum { PARTS = 16, HALF = 8, SHORTER = 4 };
    sb_energy_change whole, quarter;
    int failed = SB_OK;
    *confirmed = false;
    SB_TRY(sb_row_go_on(
        sb_confusion_energy(ctx, arena, sys, stepper, h / SHORTER, SHORTER * (steps / PARTS), PARTS, HALF, &quarter),
        &failed));
    if (failed != SB_OK) {
        return SB_OK;
    }
    const sb_answer fine = sb_energy_change_answer(&quarter, 0.5, 1.0);
    SB_TRY(sb_row_go_on(sb_confusion_energy(ctx, arena, sys, stepper, h, steps / PARTS, PARTS, HALF, &whole), &failed));
    const sb_answer coarse = failed != SB_OK ? SB_ANSWER_OPEN : sb_energy_change_answer(&whole, 0.5, 1.0);
    if (*answer == SB_ANSWER_YES) {
        *confirmed = fine == SB_ANSWER_YES || (coarse == SB_ANSWER_YES && quarter.change < 0.5 * whole.change);
    } else if (*answer == SB_ANSWER_NO) {
        *confirmed = fine == SB_ANSWER_NO && coarse != SB_ANSWER_YES;
        *answer = fine == SB_ANSWER_YES ? SB_ANSWER_OPEN : SB_ANSWER_NO;
    }
    return SB_OK;
}

/* ---- The registry. ---- */

static int register_all(sb_registry *registry, sb_context *ctx, int (*add)(sb_registry *registry)) {
    SB_TRY(sb_registry_init(registry, ctx));
    SB_TRY(sb_register_builtins(registry));
    return add(registry);
}

int sb_confusion_run(sb_bench *bench, int (*add)(sb_registry *registry), const char *names,
                     int (*study)(sb_bench *bench, sb_sink *out), const char *name) {
    sb_registry registry;
    sb_table all, table;
    sb_sink *form;
    const sb_registry *before = bench->ctx->registry;
    sb_table_init(&table, &bench->arena);
    SB_TRY(sb_sink_form(bench->ctx, &bench->arena, &(sb_row_form){.columns = names}, &table.sink, &form));
    SB_TRY(sb_bench_table(bench, "confusion", &all));
    SB_TRY(form->begin(form, all.ncolumns, all.columns));
    int status = register_all(&registry, bench->ctx, add);
    bench->ctx->registry = &registry;
    status = status == SB_OK ? study(bench, form) : status;
    bench->ctx->registry = before;
    sb_registry_free(&registry);
    return status == SB_OK ? sb_bench_save(bench, &table, name) : status;
}
