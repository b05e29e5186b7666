/* What the accelerations of a stepper say about the mechanism that it moves: which parameter explains a violation of
 * d'Alembert's principle, and which ones it cannot show. */
#include "analysis/system/physics_verdict.h"

#include <stepbench/numerics/norm.h>

#include "analysis/checks.h"
#include "analysis/system/physics_faults.h"
#include "core/base/text.h"

/* Parameters that are named for one violation. */
enum { REASONS = 3 };

/* A change of gravity in any direction that counts: 3 degrees. */
static const double TILTED = 0.05;
/* A damping that counts: of a thousandth of the momenta in the time scale. */
static const double DAMPED = 0.001;

/* Returns the relative violation, and after a candidate's factor 1 + *c is taken out of it. */
static double violation(const sb_physics_found *m, const sb_physics_parameter *p, double *c) {
    double RT = 0.0, TT = 0.0, left = 0.0;
    for (int i = 0; i < m->equations && p != NULL; i++) {
        const double s = m->scale[i] > 0.0 ? 1.0 / m->scale[i] : 0.0;
        RT += s * s * m->violation[i] * p->term[i];
        TT += s * s * p->term[i] * p->term[i];
    }
    const double factor = TT > 0.0 ? -RT / TT : 0.0;
    for (int i = 0; i < m->equations; i++) {
        const double s = m->scale[i] > 0.0 ? 1.0 / m->scale[i] : 0.0,
                     r = s * (m->violation[i] + (p != NULL ? factor * p->term[i] : 0.0));
        left += r * r / m->equations;
    }
    if (c != NULL) {
        *c = factor;
    }
    return sqrt(left);
}

/* Returns whether velocities change by this part of ours in all numbers. The square of the difference has the round-off
 * of the sums. */
static bool changes_by(const sb_physics_found *m, double part, double tolerance) {
    const double off = m->their_square - 2.0 * part * m->along + part * part * m->square;
    return m->square > 0.0 && off <= fmax(tolerance * tolerance, 1e-14) * m->square;
}

const char *sb_physics_late(const sb_physics_found *m) {
    return changes_by(m, 0.5, m->tolerance)
               ? "the velocities are those of the middle of the step: they change by half as much as ours"
           : changes_by(m, 0.0, 0.01 * m->tolerance)
               ? "the velocities are those of the start of the step: they do not change"
               : NULL;
}

/* Returns whether a parameter may have 1 + c times its value: masses are positive. */
static bool is_possible(const sb_physics_parameter *p, double c) { return p->may_vanish || 1.0 + c >= 0.02; }

/* Returns the length of a vector of gravity. */
static double length(const sb_physics_found *m, const sb_scalar *g) {
    return sqrt(sb_dot(m->terms.world->dimension, g, g));
}

/* Returns whether parameters leave a twentieth of the violation, and only if they are off by a tenth, or gravity by a
 * twentieth in another direction. */
static bool is_explained(const sb_physics_found *m, double all) {
    double least = INFINITY;
    for (int k = 0; k < m->terms.count; k++) {
        const sb_physics_parameter *p = &m->terms.parameters[k];
        double c;
        if (violation(m, p, &c) <= 0.05 * all && is_possible(p, c)) {
            least =
                fmin(least, k == SB_PHYSICS_DRAG ? SB_PHYSICS_VAGUE / DAMPED * c * m->task->sys->time_scale : fabs(c));
        }
    }
    double change[3];
    const double g = length(m, m->terms.parts.gravity);
    if (!(least < INFINITY) && g > 0.0 &&
        sb_physics_fit_gravity(&m->terms, m->equations, m->violation, m->scale, change) <= 0.05 * all) {
        least = SB_PHYSICS_VAGUE / TILTED * length(m, change) / g;
    }
    return least >= 0.9 * SB_PHYSICS_VAGUE && least < INFINITY; /* errors of the steps may make a tenth less */
}

/* Returns the root of the mean square of a term over its scale. */
static double size_of(const sb_physics_found *m, const double *term) {
    double sum = 0.0;
    for (int i = 0; i < m->equations; i++) {
        const double s = m->scale[i] > 0.0 ? 1.0 / m->scale[i] : 0.0;
        sum += s * s * term[i] * term[i] / m->equations;
    }
    return sqrt(sum);
}

/* Sets *out to the parameters that could be wrong by what counts and would pass, NULL if there are none: the motion
 * does not depend on them, or by less than the errors of the steps. `all` is what is left of the violation. */
static int name_hidden(sb_physics_found *m, double all, const char **out) {
    enum { NAMED = 8 };
    const double least = fmin(m->tolerance, fmax(m->spread, 20.0 * all));
    const char *list = "";
    int count = 0;
    for (int k = 0; k < m->terms.count; k++) {
        const sb_physics_parameter *p = &m->terms.parameters[k];
        const double change = k == SB_PHYSICS_DRAG ? DAMPED / m->task->sys->time_scale : SB_PHYSICS_VAGUE;
        if (p->given && change * size_of(m, p->term) <= least && count++ < NAMED) {
            SB_PRINT(m->task->arena, list, "%s%s%s", list, count > 1 ? ", " : "", p->name);
        }
    }
    if (count > NAMED) {
        SB_PRINT(m->task->arena, list, "%s and %d more", list, count - NAMED);
    }
    if (count > 0) {
        SB_PRINT(m->task->arena, *out, "not visible on this problem: %s", list);
    }
    return SB_OK;
}

/* Appends what a candidate would explain. */
static int append_reason(const sb_physics_found *m, const sb_physics_parameter *p, double c, const char **out) {
    const char *joined = *out != NULL ? *out : "", * or = *out != NULL ? ", or " : "";
    if (p == &m->terms.parameters[SB_PHYSICS_DRAG]) {
        SB_PRINT(m->task->arena, *out, "%s%sthe motion is damped, by forces of %.3g/s times the momenta", joined, or,
                 c);
    } else {
        SB_PRINT(m->task->arena, *out, "%s%s%s is %.3g times ours", joined, or, p->name, 1.0 + c);
    }
    return SB_OK;
}

/* Writes what would explain the violation: the parameter that leaves least of it, and others that leave as little, as
 * the moments of inertia of bodies that turn together do. */
static int explain(sb_physics_found *m, double all, const char *when, const char **out) {
    /* the errors of a step are in all equations: what is left is small beside the violation, or within the tolerance */
    double best = INFINITY;
    for (int pass = 0; pass < 2; pass++) {
        const double most = pass == 0 ? fmax(0.05 * all, m->tolerance) : fmax(2.0 * best, m->tolerance);
        int found = 0;
        for (int k = 0; k < m->terms.count && (found < REASONS || pass == 0); k++) {
            const sb_physics_parameter *p = &m->terms.parameters[k];
            double c;
            const double left = violation(m, p, &c);
            if (!(left <= most) || !(best < INFINITY || pass == 0) || !is_possible(p, c)) {
                continue;
            }
            best = fmin(best, left);
            SB_TRY(pass == 1 ? append_reason(m, p, c, out) : SB_OK);
            found++;
        }
    }
    /* errors of a step may look like a small change of gravity in two or three directions */
    double change[3];
    const double left = sb_physics_fit_gravity(&m->terms, m->equations, m->violation, m->scale, change),
                 most = length(m, change) >= 0.5 * TILTED * length(m, m->terms.parts.gravity)
                            ? fmax(0.05 * all, m->tolerance)
                            : 0.01 * all;
    if (left <= most && left < 0.1 * best) {
        *out = NULL; /* no parameter explains as much */
    }
    if (when != NULL) {
        SB_PRINT(m->task->arena, *out, "%s%s%s", *out != NULL ? *out : "", *out != NULL ? ", or " : "", when);
    }
    SB_TRY(*out == NULL
               ? sb_physics_find_gravity(m->task->arena, &m->terms, m->equations, m->violation, m->scale, most, out)
               : SB_OK);
    if (*out == NULL && m->terms.world->dimension == 3) {
        sb_physics_find_order(&m->terms, m->equations, m->violation, m->scale, fmax(0.05 * all, m->tolerance), out);
    }
    if (*out == NULL) {
        *out = "the accelerations are not ours, and no single parameter explains it";
    }
    return SB_OK;
}

/* What decides a value between the error of tiny steps and twice of it. */
static const char near[] =
    "it exceeds the error of tiny steps by less than this error: take more iterations, or --h of `physics`";

static sb_decision decide(double measured, double allowed) {
    return measured <= allowed ? SB_YES : measured <= 2.0 * allowed ? SB_UNCLEAR : SB_NO;
}

/* Writes a row; `undecided` is a sentence why the measured value decides nothing, NULL if it does. */
static int write(sb_task *task, sb_check_id check, double measured, double allowed, const char *undecided,
                 const char *message) {
    const sb_decision passed = undecided != NULL ? SB_UNCLEAR : decide(measured, allowed);
    undecided = undecided == NULL && passed == SB_UNCLEAR ? near : undecided;
    return sb_check_write(task, &(sb_check_result){check, NULL, passed, measured, allowed, undecided}, "%s", message);
}

/* Returns whether joints or drivers act on the bodies. The norms of their quaternions are neither. */
static bool has_joints(const sb_physics_found *m) {
    for (int k = 0; k < m->terms.parts.parts; k++) {
        const sb_world_kind kind = m->terms.parts.part[k].kind;
        if (kind != SB_SPRING && kind != SB_TORQUE && kind != SB_FORCE) {
            return true;
        }
    }
    return false;
}

int sb_physics_write(sb_physics_found *m) {
    sb_task *task = m->task;
    const char *why, *undecided = NULL, *reason = NULL, *when = sb_physics_late(m);
    const double all = violation(m, NULL, NULL), longer = fabs(m->longer - 1.0),
                 longest = m->tolerance + m->longer_error;
    const char *const name = sb_bilateral_name(task->sys, m->row);
    SB_TRY(write(task, SB_CHECK_PRECISION, m->single && m->epsilon < FLT_EPSILON, 0.0, NULL,
                 "its numbers are those of single precision, and it claims double precision"));
    if (m->tolerance > SB_PHYSICS_VAGUE && m->jump == NULL) {
        SB_PRINT(task->arena, undecided,
                 "its accelerations change by a factor of %.2g when h is halved: joints that relax over some steps, or "
                 "round-off; take more iterations, or --h of `physics`",
                 1.0 + m->spread);
    }
    SB_PRINT(task->arena, why, "a step moves the bodies for %.4g h%s", m->longer,
             m->longer < 0.0 ? ", as attitudes do that turn from space to the body" : "");
    SB_TRY(m->jump != NULL ? write(task, SB_CHECK_BODIES, INFINITY, m->tolerance, NULL, m->jump)
                           : write(task, SB_CHECK_BODIES, longer, longest, undecided, why));
    undecided = m->jump != NULL                         ? "a body jumps"
                : undecided == NULL && longer > longest ? "steps have another length"
                                                        : undecided;
    SB_PRINT(task->arena, why, "row %d of the joints and drivers%s%s does not hold", m->row, name != NULL ? ", " : "",
             name != NULL ? name : "");
    SB_TRY(!has_joints(m)
               ? SB_OK
               : write(task, SB_CHECK_JOINTS, m->joints, m->allowed,
                       undecided == NULL && when != NULL ? "the velocities are not those of the end of the step"
                       : undecided == NULL && m->allowed > SB_PHYSICS_VAGUE
                           ? "they relax over more than 200 steps, or round-off decides"
                           : undecided,
                       why));
    /* errors of a step, which the tolerance has room for, are not those of one parameter */
    const bool explained = when == NULL && all > m->spread && is_explained(m, all);
    m->tolerance = explained ? fmin(m->tolerance, m->spread) : m->tolerance;
    SB_TRY(explain(m, all, when, &reason));
    const char *hidden = NULL;
    SB_TRY(name_hidden(m, all, &hidden));
    const sb_decision passed = undecided != NULL ? SB_UNCLEAR
                               : explained       ? (sb_decision)(all <= m->tolerance)
                                                 : decide(all, m->tolerance);
    undecided = undecided == NULL && passed == SB_UNCLEAR ? near : undecided;
    return sb_check_write(task,
                          &(sb_check_result){SB_CHECK_ACCELERATIONS, NULL, passed, all, m->tolerance,
                                             passed == SB_YES ? hidden : undecided},
                          "%s", reason);
}
