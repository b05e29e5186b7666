/* Whether a stepper moves the mechanism that the problem describes, before its order is measured: tiny steps from
 * states with random velocities give its accelerations, and d'Alembert's principle, goldstein02 (1.45), along
 * directions d that the joints allow,
 *
 *   sum over bodies of m (a - g) . dx + (J w' + w x J w) . dtheta + springs + other forces = 0,
 *
 * is linear in every parameter of the mechanism. A stepper that has one parameter wrong by a factor 1 + c violates it
 * by R = -c T, with T the term of this parameter: the parameter whose c leaves the least of R is named. */
#include <gsl/gsl_randist.h>
#include <string.h>

#include "analysis/checks.h"
#include "analysis/random.h"
#include "analysis/system/physics_contacts.h"
#include "analysis/system/physics_faults.h"
#include "analysis/system/physics_verdict.h"

/* States, the first of which is the start, and directions at each. */
enum { STATES = 4, DIRECTIONS = SB_PHYSICS_EQUATIONS / STATES, LEVELS = 3, RELAX = 200 };

/* Length of a move to another position, over that of the motion. */
static const double ASIDE = 0.1;

typedef struct physics_config {
    double h;
} physics_config;

typedef struct mechanism {
    sb_physics_found found;
    sb_dynamics dyn;
    sb_method method;
    sb_state in, out;
    sb_touching touching; /* with contacts: all are open in what follows */
    double h, size;       /* the tiny step; the size of the motion */
    double rest[SB_PHYSICS_EQUATIONS];
    sb_scalar *rate, *theirs, *ours, *a, *their_a, *p, *tmp, *q, *v; /* rates of twists; scratch */
} mechanism;

/* ---- A state. ---- */

static int place(const mechanism *m, const sb_scalar *q, const sb_scalar *v, sb_scalar *pose, sb_scalar *twist) {
    return m->found.terms.world->place(m->found.terms.world->self, q, v, pose, twist);
}

/* Sets the rates of our twists along the motion with the accelerations m->a, by central differences. */
static int set_our_rates(const mechanism *m, sb_scalar t) {
    const sb_system *sys = m->found.task->sys;
    const double step = cbrt(DBL_EPSILON) * sys->time_scale; /* round-off and truncation are of one size */
    const int numbers = m->found.terms.world->bodies * sb_world_twist(m->found.terms.world);
    for (int side = -1; side <= 1; side += 2) {
        for (int i = 0; i < sys->n; i++) {
            m->q[i] = m->in.q[i] + side * step * (m->in.v[i] + 0.5 * side * step * m->a[i]);
            m->v[i] = m->in.v[i] + side * step * m->a[i];
        }
        SB_TRY(place(m, m->q, m->v, m->tmp, side < 0 ? m->rate : m->ours));
    }
    for (int i = 0; i < numbers; i++) {
        m->ours[i] = (m->ours[i] - m->rate[i]) / (2.0 * step);
    }
    return SB_OK;
}

/* Returns whether component c of every `size` numbers is one of single precision in all of them, but for the round-off
 * of coordinates, and one of these needs all of its bits. */
static bool is_single(int count, int size, int c, const sb_scalar *x) {
    /* what is left of larger numbers has few bits in any precision */
    const double least = 1e-3 * sb_norm_max(count, x);
    double largest = 0.0;
    bool full = false;
    for (int i = c; i < count; i += size) {
        largest = fmax(largest, fabs((double)x[i]));
    }
    for (int i = c; i < count; i += size) {
        int exponent;
        const double bits = frexp((double)(float)x[i], &exponent) * 65536.0;
        if (!(fabs((double)(float)x[i] - (double)x[i]) <= 16.0 * DBL_EPSILON * largest)) {
            return false;
        }
        full = full || (bits != floor(bits) && fabs((double)x[i]) > least);
    }
    return full;
}

/* Compares the length of a step, from rates of the coordinates, with that of the states before: kept is the one that
 * exceeds its error most. Positions up to `far` have round-off epsilon far, and extrapolated from h, h/2 and h/4 they
 * leave up to 10 epsilon far/h of a rate, which counts more where the motion is slow. */
static void compare_length(mechanism *m, const sb_scalar *rate, double far) {
    const int n = m->found.task->sys->n;
    const double square = sb_dot(n, m->v, m->v), longer = sb_dot(n, rate, m->v) / square,
                 error = 10.0 * m->found.epsilon * far / m->h * sqrt(n / square);
    const bool first = m->found.longer_error == 0.0;
    if (square > 0.0 && (first || fabs(longer - 1.0) - error > fabs(m->found.longer - 1.0) - m->found.longer_error)) {
        m->found.longer = longer;
        m->found.longer_error = error;
    }
}

/* Sets the rates of the stepper's twists, its accelerations and the length of its step, by steps of h, h/2 and h/4,
 * whose first-order errors Richardson's extrapolation removes; *change, their change by the last halving, measures the
 * rest. */
static int set_their_rates(mechanism *m, double *change) {
    const sb_system *sys = m->found.task->sys;
    const int numbers = m->found.terms.world->bodies * sb_world_twist(m->found.terms.world);
    sb_scalar *values[LEVELS], *poses[LEVELS], *twists[LEVELS];
    const int size = numbers + 2 * sys->n;
    double far = sb_norm_max(sys->n, m->q);
    SB_SCRATCH(arena, m->found.task->ctx);
    for (int level = 0; level < LEVELS; level++) {
        const double h = m->h / (1 << level);
        SB_TRY(SB_VECTORS(&arena, size + m->found.terms.world->bodies * SB_POSE_MAX, &values[level], &poses[level],
                          &twists[level]));
        sb_scalar *x = values[level];
        SB_TRY(sb_method_start(&m->method, m->in.t, m->q, m->v, h, &m->in));
        SB_TRY(sb_method_step(&m->method, &m->in, h, &m->out));
        SB_TRY(sb_method_report(&m->method, &m->out, m->tmp, NULL));
        SB_TRY(place(m, m->out.q, m->tmp, poses[level], x));
        memcpy(twists[level], x, (size_t)numbers * sizeof *x);
        const int size_of = sb_world_twist(m->found.terms.world),
                  pose = m->found.terms.world->bodies * sb_world_pose(m->found.terms.world);
        far = sb_larger(far, sb_norm_max(pose, poses[level]));
        for (int c = 0; c < size_of; c++) {
            m->found.single = m->found.single || is_single(numbers, size_of, c, x);
        }
        for (int i = 0; i < numbers; i++) {
            x[i] = (x[i] - m->found.terms.twist[i]) / h;
        }
        for (int i = 0; i < sys->n; i++) {
            x[numbers + i] = (m->tmp[i] - m->v[i]) / h;
            x[numbers + sys->n + i] = (m->out.q[i] - m->q[i]) / h;
        }
    }
    const sb_physics_end whole = {poses[0], twists[0]}, quarter = {poses[LEVELS - 1], twists[LEVELS - 1]};
    SB_TRY(m->found.jump == NULL ? sb_physics_find_jump(m->found.task->arena, &m->found.terms, m->size,
                                                        m->size / sys->time_scale, &whole, &quarter, &m->found.jump)
                                 : SB_OK);
    for (int i = 0; i < size; i++) {
        const double first = 2.0 * values[1][i] - values[0][i], second = 2.0 * values[2][i] - values[1][i];
        values[2][i] = second;
        if (i < numbers) {
            *change = fmax(*change, fabs(second - first));
        }
    }
    memcpy(m->theirs, values[2], (size_t)numbers * sizeof(sb_scalar));
    memcpy(m->their_a, values[2] + numbers, (size_t)sys->n * sizeof(sb_scalar));
    compare_length(m, values[2] + numbers + sys->n, far);
    return SB_OK;
}

/* Returns the largest difference of two accelerations in the rows of the joints and drivers, C a, relative to the
 * largest acceleration, and its row in *row if it exceeds `least`. */
static double row_difference(const mechanism *m, const sb_scalar *a, const sb_scalar *b, double least, int *row) {
    const sb_pattern *C = &m->dyn.C;
    const sb_system *sys = m->found.task->sys;
    const double unit = m->size / (sys->time_scale * sys->time_scale),
                 largest = fmax(unit, fmax(sb_norm_max(sys->n, a), sb_norm_max(sys->n, b)));
    for (int i = 0; i < C->cols; i++) {
        double off = 0.0, size = 0.0;
        for (int k = C->p[i]; k < C->p[i + 1]; k++) {
            off += m->dyn.Cx[k] * (a[C->i[k]] - b[C->i[k]]);
            size += fabs(m->dyn.Cx[k]);
        }
        if (size > 0.0 && !(fabs(off) / (size * largest) <= least)) {
            least = fabs(off) / (size * largest);
            *row = i;
        }
    }
    return least;
}

/* Compares the rows at the state m->q, m->v after RELAX steps. A stepper that keeps joints by their velocities lacks
 * the centripetal acceleration in its first step, and one that feeds errors of position back has a transient, of which
 * (1 - part)^RELAX is left: 4e-5 for 5 % per step. The acceleration is the mean over RELAX more steps. With a whole
 * time tau and a time scale T its error is (tau/T)^2 after Richardson's extrapolation, and the round-off of positions,
 * epsilon L, is fed back as velocities up to epsilon L/h, RELAX epsilon (T/tau)^2 in the mean: tau makes the two equal.
 */
static int relax(mechanism *m, gsl_rng *random) {
    const sb_system *sys = m->found.task->sys;
    const double tau = sys->time_scale * pow(RELAX * m->found.epsilon, 0.25);
    sb_scalar *a[LEVELS];
    SB_SCRATCH(arena, m->found.task->ctx);
    for (int level = 0; level < LEVELS; level++) {
        const double h = 0.5 * tau / RELAX / (1 << level);
        sb_state *state[2] = {&m->in, &m->out};
        SB_TRY(SB_VECTORS(&arena, sys->n, &a[level]));
        SB_TRY(sb_method_start(&m->method, m->in.t, m->q, m->v, h, &m->in));
        if (level == 0) {
            SB_TRY(sb_dynamics_acceleration(&m->dyn, m->in.t, m->in.q, m->in.v, m->a, NULL));
        }
        for (int k = 1; k <= 2 * RELAX; k++) {
            SB_TRY(sb_method_step(&m->method, state[(k - 1) % 2], h, state[k % 2]));
            if (k % RELAX == 0) {
                SB_TRY(sb_method_report(&m->method, state[k % 2], m->tmp, NULL));
                for (int i = 0; i < sys->n; i++) {
                    a[level][i] = (m->tmp[i] - (k == RELAX ? 0.0 : a[level][i])) / (k == RELAX ? 1.0 : RELAX * h);
                }
            }
        }
    }
    for (int i = 0; i < sys->n; i++) {
        a[0][i] = 2.0 * a[1][i] - a[0][i];
        a[1][i] = 2.0 * a[2][i] - a[1][i];
    }
    int row = 0;
    m->found.joints = row_difference(m, a[1], m->a, m->found.joints, &m->found.row);
    m->found.allowed = fmax(m->found.allowed, 10.0 * row_difference(m, a[1], a[0], 0.0, &row));
    return SB_OK;
}

/* Adds the equations of the state m->q, m->v. */
static int add_state(mechanism *m, gsl_rng *random) {
    const sb_system *sys = m->found.task->sys;
    const int n = sys->n, numbers = m->found.terms.world->bodies * sb_world_twist(m->found.terms.world);
    double change = 0.0;
    SB_TRY(place(m, m->q, m->v, m->found.terms.pose, m->found.terms.twist));
    SB_TRY(set_their_rates(m, &change));
    SB_TRY(sb_dynamics_acceleration(&m->dyn, m->in.t, m->in.q, m->in.v, m->a, NULL));
    m->found.joints = row_difference(m, m->their_a, m->a, m->found.joints, &m->found.row);
    SB_TRY(set_our_rates(m, m->in.t));
    /* below a thousandth of those of the motion, accelerations are the round-off of differences */
    const double unit = m->size / (sys->time_scale * sys->time_scale),
                 largest = fmax(1e-3 * unit, fmax(sb_norm_max(numbers, m->theirs), sb_norm_max(numbers, m->ours)));
    m->found.spread = fmax(m->found.spread, change / largest);
    for (int i = 0; i < numbers; i++) {
        m->found.along += m->theirs[i] * m->ours[i];
        m->found.square += m->ours[i] * m->ours[i];
        m->found.their_square += m->theirs[i] * m->theirs[i];
    }
    for (int k = 0; k < DIRECTIONS; k++) {
        const int equation = m->found.equations++;
        for (int i = 0; i < n; i++) {
            m->tmp[i] = gsl_ran_gaussian(random, 1.0);
        }
        SB_TRY(sb_dynamics_momentum(&m->dyn, m->in.q, m->tmp, m->p));
        SB_TRY(sb_dynamics_tangent(&m->dyn, m->in.t, m->in.q, m->p, m->v, NULL));
        SB_TRY(place(m, m->in.q, m->v, m->p, m->found.terms.d));
        m->rest[equation] =
            -sb_physics_terms_set(&m->found.terms, equation, m->ours); /* of forces that the candidates do not have */
        m->found.violation[equation] = sb_physics_terms_set(&m->found.terms, equation, m->theirs) + m->rest[equation];
        m->found.scale[equation] = fabs(m->rest[equation]);
        for (int c = 0; c < m->found.terms.count; c++) {
            m->found.scale[equation] += fabs(m->found.terms.parameters[c].term[equation]);
        }
        if (sb_norm_max(n, m->v) < sqrt(DBL_EPSILON) * sb_norm_max(n, m->tmp)) {
            m->found.scale[equation] = 0.0; /* joints and drivers leave no direction but round-off */
        }
    }
    return SB_OK;
}

/* Moves q by a random tenth of the motion to a position that the joints and drivers allow, where some parameters differ
 * that are alike at the start. It stays where there is none, where springs may be stiff, and where contacts are open.
 */
static int move_aside(mechanism *m, gsl_rng *random, sb_scalar t, const sb_scalar *q0) {
    const sb_system *sys = m->found.task->sys;
    bool moves = sys->contact.m == 0;
    for (int k = 0; k < m->found.terms.parts.parts; k++) {
        moves = moves && m->found.terms.parts.part[k].kind != SB_SPRING;
    }
    for (int i = 0; i < sys->n && moves; i++) {
        m->tmp[i] = ASIDE * m->size * gsl_ran_gaussian(random, 1.0);
    }
    if (!moves) {
        return SB_OK;
    }
    SB_TRY(sb_dynamics_momentum(&m->dyn, q0, m->tmp, m->p));
    SB_TRY(sb_dynamics_tangent(&m->dyn, t, q0, m->p, m->v, NULL));
    sb_axpy(sys->n, 1.0, m->v, m->q);
    const int status = sb_dynamics_position(&m->dyn, t, m->q);
    if (status != SB_OK && sb_failure_is_result(status)) {
        memcpy(m->q, q0, (size_t)sys->n * sizeof *q0);
        return SB_OK;
    }
    return status;
}

/* Visits the start, and its position, or others beside it, with random velocities that the joints and drivers allow. */
static int visit_states(mechanism *m, bool aside, int (*visit)(mechanism *m, gsl_rng *random)) {
    const sb_system *sys = m->found.task->sys;
    sb_scalar t, *q0, *v0;
    gsl_rng *random;
    SB_TRY(SB_VECTORS(m->found.task->arena, sys->n, &q0, &v0));
    SB_TRY(sb_random(m->found.task->arena, 1, &random));
    SB_TRY(sys->initial(sys->self, &t, q0, v0));
    m->in.t = t;
    SB_TRY(sys->contact.m > 0 ? sb_touching_open(&m->touching, q0) : SB_OK);
    for (int state = 0; state < STATES; state++) {
        m->in.t = t;
        memcpy(m->q, q0, (size_t)sys->n * sizeof *q0);
        memcpy(m->v, v0, (size_t)sys->n * sizeof *v0);
        if (state > 0) {
            SB_TRY(aside ? move_aside(m, random, t, q0) : SB_OK);
            for (int i = 0; i < sys->n; i++) {
                m->tmp[i] = m->size / sys->time_scale * gsl_ran_gaussian(random, 1.0);
            }
            SB_TRY(sb_dynamics_momentum(&m->dyn, m->q, m->tmp, m->p));
            SB_TRY(sb_dynamics_velocity(&m->dyn, t, m->q, m->p, m->v, NULL));
        }
        SB_TRY(visit(m, random));
    }
    return SB_OK;
}

static int allocate(mechanism *m) {
    sb_task *task = m->found.task;
    const sb_system *sys = task->sys;
    const int most = sys->n + m->found.terms.world->bodies * SB_POSE_MAX;
    SB_TRY(SB_VECTORS(task->arena, most, &m->found.terms.pose, &m->found.terms.twist, &m->rate, &m->theirs, &m->ours,
                      &m->a, &m->their_a, &m->found.terms.d, &m->p, &m->tmp, &m->q, &m->v));
    SB_TRY(sb_dynamics_init(task->ctx, task->arena, sys, &m->dyn));
    SB_TRY(sb_method_init(task->ctx, task->arena, task->pair->type, task->pair->config, sys, &m->method));
    SB_TRY(sb_state_new(&m->method, task->arena, &m->in));
    return sb_state_new(&m->method, task->arena, &m->out);
}

static int write_contacts(mechanism *m, double h) {
    const sb_system *sys = m->found.task->sys;
    SB_TRY(sys->initial(sys->self, &m->in.t, m->q, m->v));
    SB_TRY(sb_touching_open(&m->touching, m->q));
    return sb_touching_write(&m->touching, m->q, h);
}

/* Visits the states with tiny steps of h. */
static int measure(mechanism *m, double h) {
    m->h = h;
    m->found.equations = 0;
    m->found.longer = 1.0;
    m->found.longer_error = 0.0;
    m->found.jump = NULL;
    m->found.spread = m->found.along = m->found.square = m->found.their_square = m->found.joints = 0.0;
    SB_TRY(visit_states(m, true, add_state));
    /* A thousand times the errors of `run`, as derivatives may exceed those of the time scale by a factor of ten each;
     * the velocities of iterations that end at corrections of 1e-10 of the motion; and what the last halving of h has
     * changed. */
    m->found.tolerance = fmax(1000.0 * pow(m->found.epsilon, 2.0 / 3.0), 1e-10 * m->found.task->sys->time_scale / h);
    m->found.allowed = m->found.tolerance = fmax(m->found.tolerance, 10.0 * m->found.spread);
    return SB_OK;
}

static int run(sb_task *task) {
    const physics_config *config = task->config;
    const double scale = task->sys->time_scale;
    const sb_scalar roundoff = task->pair->type->roundoff;
    mechanism m = {.found = {.task = task, .epsilon = roundoff > 0.0 ? roundoff : DBL_EPSILON}};
    SB_TRY(sb_physics_terms_new(task->arena, task->sys->world, &m.found.terms));
    SB_TRY(allocate(&m));
    SB_TRY(sb_system_length(task->ctx, task->sys, &m.size));
    if (task->sys->contact.m > 0) {
        SB_TRY(sb_touching_init(task, &m.dyn, &m.method, &m.in, &m.out, &m.found.terms.parts, m.found.epsilon, m.size,
                                &m.touching));
    }
    /* The error of Richardson's extrapolation is (h/scale)^2, and that of differences epsilon scale/h. Where joints
     * feed the round-off of positions back as velocities, it is epsilon (scale/h)^2. */
    SB_TRY(measure(&m, config->h > 0.0 ? config->h : cbrt(m.found.epsilon) * scale));
    SB_TRY(config->h > 0.0 || m.found.tolerance <= SB_PHYSICS_VAGUE ? SB_OK
                                                                    : measure(&m, pow(m.found.epsilon, 0.25) * scale));
    if (!(m.found.joints <= m.found.tolerance) && m.found.tolerance <= SB_PHYSICS_VAGUE &&
        fabs(m.found.longer - 1.0) <= m.found.tolerance + m.found.longer_error && sb_physics_late(&m.found) == NULL) {
        m.found.joints = 0.0;
        SB_TRY(visit_states(&m, false, relax));
    }
    SB_TRY(sb_physics_write(&m.found));
    return task->sys->contact.m > 0 ? write_contacts(&m, config->h) : SB_OK;
}

static const char *inapplicable(const sb_system *sys) {
    return sys->world == NULL ? "it is no mechanism of bodies: it does not offer its bodies in maximal coordinates"
           : sys->contact.m == 0 && sys->contact.k > 0 ? "dry friction in joints is no parameter of a world"
                                                       : NULL;
}

static const sb_param params[] = {
    SB_PARAM_NOT_NEGATIVE(physics_config, h, "0", "s",
                          "length of the tiny steps; 0: the time scale times the cube root of round-off"),
    {0}};

static const sb_column columns[] = {SB_STEPPER_CHECK_COLUMNS(SB_PHYSICS_CHECKS)};

SB_DEFINE_ANALYSIS(physics) = {
    .entry =
        {"physics",
         "whether a stepper moves the mechanism of the problem: its masses, inertias, gravity, springs, joints and "
         "drivers, from tiny steps",
         "goldstein02", params, sizeof(physics_config)},
    .default_problem = "heavy_top",
    .forward = true,
    SB_COLUMNS(columns),
    .example = "stepbench physics -p heavy_top -s lie_variational",
    .inapplicable = inapplicable,
    .run = run};
