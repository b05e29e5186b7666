/* Tests the contacts of a stepper one by one, while all others are open. A bisection finds the gap at which a step
 * first changes the velocity of an approach: it is 0 where the shapes have the size and place of ours. In an impact
 * with slip, with the change dv of the velocity beyond that without the contact,
 *
 *   M dv = N z + D beta,   -N' v1 / N' v0 = restitution,   |beta| = mu z,
 *
 * as long as the slip does not end. moreau88. */
#include "analysis/system/physics_contacts.h"

#include <string.h>

#include "analysis/checks.h"
#include "analysis/row.h"

/* Rounds of opening, steps of an impact, bisections: 3/4 L/2^11 is a fiftieth of the tolerance of a gap. */
enum { ROUNDS = 1000, NEWTON = 8, IMPACT = 100, LATE = 3, HALVINGS = 11, REASON = 300 };
static const double GAP = 0.02, COEFFICIENT = 0.03;
/* A change of velocity that counts, relative to that of the impact: less than a tolerance, more than gravity in a step.
 */
static const double COUNTS = 0.01;

typedef struct worst {
    double measured, excess; /* of the contact that is farthest beyond its limit, relative to the limit */
    double allowed;
    char why[REASON];
    int tested, soft;
} worst;

int sb_touching_init(sb_task *task, sb_dynamics *dyn, const sb_method *method, sb_state *in, sb_state *out,
                     const sb_world_parts *parts, double epsilon, double size, sb_touching *me) {
    const sb_system *sys = task->sys;
    const sb_contact *contact = &sys->contact;
    double gravity = 0.0, length = INFINITY;
    *me = (sb_touching){.task = task, .dyn = dyn, .method = method, .in = in, .out = out, .parts = *parts};
    for (int k = 0; k < parts->shapes; k++) {
        const sb_world_shape *s = &parts->shape[k];
        for (int i = 0; i < sys->world->dimension && s->kind == SB_BOX; i++) {
            length = fmin(length, s->size[i]);
        }
        length = s->kind != SB_BOX && s->radius > 0.0 ? fmin(length, s->radius) : length;
    }
    for (int k = 0; k < sys->world->dimension; k++) {
        gravity = hypot(gravity, parts->gravity[k]);
    }
    me->length = length < INFINITY ? length : size;
    /* Fast beside gravity, and beside the thresholds of restitution of engines, 1 m/s in Box2D and Jolt and 2 m/s in
     * PhysX.
     */
    me->speed = fmax(4.0, 4.0 * fmax(me->length / sys->time_scale, sqrt(gravity * me->length)));
    me->start = -100.0 * epsilon * me->length; /* touching, whatever the round-off of the gap */
    SB_TRY(SB_VECTORS(task->arena, contact->m, &me->xi));
    SB_NEW(task->arena, me->Nx, sb_pattern_nnz(&contact->N));
    SB_NEW(task->arena, me->Dx, sb_pattern_nnz(&contact->D));
    const int numbers = sys->n + sys->world->bodies * SB_POSE_MAX;
    return SB_VECTORS(task->arena, numbers, &me->column, &me->way, &me->q, &me->v, &me->v0, &me->free, &me->p,
                      &me->pose, &me->twist, &me->unused);
}

/* Sets out to column i, densely. */
static void column_of(const sb_pattern *C, const sb_scalar *Cx, int i, int n, sb_scalar *out) {
    memset(out, 0, (size_t)n * sizeof *out);
    for (int k = C->p[i]; k < C->p[i + 1]; k++) {
        out[C->i[k]] = Cx[k];
    }
}

static double along(const sb_pattern *C, const sb_scalar *Cx, int i, const sb_scalar *x) {
    double sum = 0.0;
    for (int k = C->p[i]; k < C->p[i + 1]; k++) {
        sum += Cx[k] * x[C->i[k]];
    }
    return sum;
}

/* Moves q until gap i has changed by `by` to first order, along its gradient, or as an impulse would. */
static int move(sb_touching *me, int i, double by, bool impulse, sb_scalar *q) {
    const sb_system *sys = me->task->sys;
    column_of(&sys->contact.N, me->Nx, i, sys->n, me->column);
    memcpy(me->way, me->column, (size_t)sys->n * sizeof *me->way);
    SB_TRY(impulse ? sb_dynamics_velocity(me->dyn, me->in->t, q, me->column, me->way, NULL) : SB_OK);
    const double rate = along(&sys->contact.N, me->Nx, i, me->way);
    for (int k = 0; k < sys->n && rate > 0.0; k++) {
        q[k] += by / rate * me->way[k];
    }
    return sb_dynamics_position(me->dyn, me->in->t, q);
}

static int find_gaps(const sb_touching *me, const sb_scalar *q) {
    const sb_contact *contact = &me->task->sys->contact;
    return contact->gap(contact->self, q, me->xi, me->Nx);
}

int sb_touching_open(sb_touching *me, sb_scalar *q) {
    const int m = me->task->sys->contact.m;
    const double wanted = 0.5 * me->length;
    for (int round = 0; round < ROUNDS; round++) {
        int least = 0;
        SB_TRY(find_gaps(me, q));
        for (int i = 1; i < m; i++) {
            least = me->xi[i] < me->xi[least] ? i : least;
        }
        if (me->xi[least] >= 0.9 * wanted) {
            return SB_OK;
        }
        SB_TRY(move(me, least, wanted - me->xi[least], false, q)); /* whatever the ratios of masses */
    }
    return sb_fail(me->task->ctx, SB_UNSUPPORTED,
                   "physics: the contacts cannot be opened together by %g m; check the world without \"contacts\"",
                   wanted);
}

/* Sets me->q to the open state with gap i at xi. Returns in *clear whether the other gaps stay open. */
static int close_gap(sb_touching *me, const sb_scalar *open, int i, double xi, bool *clear) {
    const sb_system *sys = me->task->sys;
    memcpy(me->q, open, (size_t)sys->n * sizeof *open);
    for (int k = 0; k < NEWTON; k++) {
        SB_TRY(find_gaps(me, me->q));
        SB_TRY(move(me, i, xi - me->xi[i], true, me->q));
    }
    SB_TRY(find_gaps(me, me->q));
    *clear = true;
    for (int j = 0; j < sys->contact.m; j++) {
        *clear = *clear && (j == i || me->xi[j] > 0.1 * me->length + fmax(0.0, xi));
    }
    return SB_OK;
}

/* Returns the first friction row of gap i, -1 without friction. */
static int friction_row(const sb_system *sys, int i) {
    const int row = sb_system_bilateral(sys) + i;
    int j = 0;
    while (j < sys->contact.k && sys->contact.of[j] != row) {
        j++;
    }
    return j < sys->contact.k ? j : -1;
}

/* The mobility of the rows of one contact: the gap, and its one or two rows of friction. */
typedef struct rows {
    int count, gap, friction[2];
    double S[3][3];
} rows;

static int find_rows(sb_touching *me, int i, rows *r) {
    const sb_system *sys = me->task->sys;
    const sb_contact *c = &sys->contact;
    const int j = friction_row(sys, i);
    *r = (rows){1, i, {j, j >= 0 && c->with != NULL ? c->with[j] : -1}, {{0.0}}};
    r->count += (r->friction[0] >= 0) + (r->friction[1] >= 0);
    SB_TRY(find_gaps(me, me->q));
    SB_TRY(c->k > 0 ? c->slip(c->self, me->in->t, me->q, me->Dx, NULL) : SB_OK);
    for (int a = 0; a < r->count; a++) {
        column_of(a == 0 ? &c->N : &c->D, a == 0 ? me->Nx : me->Dx, a == 0 ? i : r->friction[a - 1], sys->n,
                  me->column);
        SB_TRY(sb_dynamics_velocity(me->dyn, me->in->t, me->q, me->column, me->way, NULL));
        for (int b = 0; b < r->count; b++) {
            r->S[b][a] =
                along(b == 0 ? &c->N : &c->D, b == 0 ? me->Nx : me->Dx, b == 0 ? i : r->friction[b - 1], me->way);
        }
    }
    return SB_OK;
}

/* Solves S z = b by Cramer's rule of at most three rows. */
static void solve_rows(const rows *r, const double b[3], double z[3]) {
    double A[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, f[3] = {0.0};
    for (int i = 0; i < r->count; i++) {
        memcpy(A[i], r->S[i], sizeof A[i]);
        A[i][i] = r->S[i][i];
        f[i] = b[i];
    }
    for (int i = 0; i < 3; i++) { /* S is positive definite: elimination without pivoting */
        for (int k = i + 1; k < 3; k++) {
            const double part = A[k][i] / A[i][i];
            for (int j = i; j < 3; j++) {
                A[k][j] -= part * A[i][j];
            }
            f[k] -= part * f[i];
        }
    }
    for (int i = 2; i >= 0; i--) {
        z[i] = f[i];
        for (int j = i + 1; j < 3; j++) {
            z[i] -= A[i][j] * z[j];
        }
        z[i] /= A[i][i];
    }
}

/* Sets me->v0, which has the rates `approach` of the gap and `slip` of its first row of friction. */
static int set_velocity(sb_touching *me, const rows *r, double approach, double slip) {
    const sb_system *sys = me->task->sys;
    const double b[3] = {approach, r->count > 1 ? slip : 0.0, 0.0};
    double z[3];
    solve_rows(r, b, z);
    memset(me->p, 0, (size_t)sys->n * sizeof *me->p);
    for (int a = 0; a < r->count; a++) {
        column_of(a == 0 ? &sys->contact.N : &sys->contact.D, a == 0 ? me->Nx : me->Dx,
                  a == 0 ? r->gap : r->friction[a - 1], sys->n, me->column);
        for (int k = 0; k < sys->n; k++) {
            me->p[k] += z[a] * me->column[k];
        }
    }
    SB_TRY(sb_dynamics_velocity(me->dyn, me->in->t, me->q, me->p, me->v0, NULL));
    return sb_dynamics_acceleration(me->dyn, me->in->t, me->q, me->v0, me->free, NULL);
}

/* Sets the changes of the rates of the rows after `steps` steps of h, beyond those without the contact. */
static int changes(sb_touching *me, const rows *r, const sb_state *end, double h, int steps, double out[3]) {
    const sb_system *sys = me->task->sys;
    const sb_world *world = sys->world;
    SB_TRY(sb_method_report(me->method, end, me->v, NULL));
    /* The velocity at me->q with the twists of the end: rows and velocities belong to one position. */
    SB_TRY(world->place(world->self, end->q, me->v, me->unused, me->twist));
    SB_TRY(world->place(world->self, me->q, me->v0, me->pose, me->unused));
    SB_TRY(world->coordinates(world->self, me->pose, me->twist, me->unused, me->v));
    for (int k = 0; k < sys->n; k++) {
        me->v[k] -= me->v0[k] + steps * h * me->free[k];
    }
    for (int a = 0; a < r->count; a++) {
        out[a] = along(a == 0 ? &sys->contact.N : &sys->contact.D, a == 0 ? me->Nx : me->Dx,
                       a == 0 ? r->gap : r->friction[a - 1], me->v);
    }
    return SB_OK;
}

/* Takes steps until an impact is over: the normal velocity has changed and no longer does. *over: within `most` steps.
 */
static int impact(sb_touching *me, const rows *r, double h, int most, double out[3], bool *over) {
    sb_state *state[2] = {me->in, me->out};
    double before = 0.0, most_changed = 0.0;
    *over = false;
    SB_TRY(sb_method_start(me->method, me->in->t, me->q, me->v0, h, me->in));
    for (int k = 1; k <= most && !*over; k++) {
        SB_TRY(sb_method_step(me->method, state[(k - 1) % 2], h, state[k % 2]));
        SB_TRY(changes(me, r, state[k % 2], h, k, out));
        const double now = fabs(out[0] - before);
        *over = most_changed > COUNTS * me->speed && now <= 2.0 * COUNTS * most_changed;
        most_changed = fmax(most_changed, now);
        before = out[0];
    }
    return SB_OK;
}

static const char *shape_name(const sb_touching *me, int contact, int side) {
    return me->parts.shape[me->parts.contact[contact].shape[side]].name;
}

/* Notes what was measured at a contact, if it is farthest beyond the limit. */
static void note(worst *w, double measured, double allowed, const char *why) {
    w->tested++;
    if (!(measured / allowed <= w->excess)) {
        w->measured = measured;
        w->excess = measured / allowed;
        w->allowed = allowed;
        snprintf(w->why, sizeof w->why, "%s", why);
    }
}

/* Finds the gap at which the shapes of a contact touch. */
static int test_gap(sb_touching *me, const sb_scalar *open, int contact, int i, double h, worst *w) {
    double low = -0.25 * me->length, high = 0.5 * me->length;
    char why[REASON];
    bool clear, touched = false;
    rows r;
    for (int k = 0; k < HALVINGS; k++) {
        double change[3] = {0.0};
        bool over;
        const double middle = 0.5 * (low + high);
        SB_TRY(close_gap(me, open, i, middle, &clear));
        SB_TRY(find_rows(me, i, &r));
        SB_TRY(set_velocity(me, &r, -me->speed, 0.0));
        const int status = impact(me, &r, h, LATE, change, &over);
        SB_TRY(middle < 0.0 && sb_failure_is_result(status) ? SB_OK : status); /* it does not start in a body */
        const bool acts = status != SB_OK || !(fabs(change[0]) <= COUNTS * me->speed);
        touched = touched || acts;
        *(acts ? &low : &high) = middle;
    }
    const sb_world_shape *s = &me->parts.shape[me->parts.contact[contact].shape[1]];
    int used = snprintf(why, sizeof why, "%s and %s touch at a gap of %.3g m", shape_name(me, contact, 0),
                        shape_name(me, contact, 1), low);
    if (s->kind == SB_SPHERE && s->radius > 0.0 && touched && used < REASON) {
        snprintf(why + used, sizeof why - (size_t)used, ": the radius of %s is %.3g times ours", s->name,
                 1.0 + low / s->radius);
    } else if (!touched) {
        snprintf(why, sizeof why, "%s and %s do not touch at a gap of %.3g m", shape_name(me, contact, 0),
                 shape_name(me, contact, 1), low);
    }
    note(w, fabs(low) / me->length, GAP, why);
    return SB_OK;
}

/* Measures the coefficients in an impact. */
static int test_impact(sb_touching *me, const sb_scalar *open, int contact, int i, double h, worst *e, worst *mu) {
    const sb_contact *c = &me->task->sys->contact;
    const double restitution = c->restitution != NULL ? c->restitution[i] : 0.0;
    double change[3] = {0.0}, z[3];
    char why[REASON];
    bool clear, over;
    rows r;
    SB_TRY(close_gap(me, open, i, me->start, &clear));
    if (!clear) {
        return SB_OK;
    }
    SB_TRY(find_rows(me, i, &r));
    const double friction = r.count > 1 && c->mu != NULL ? c->mu[r.friction[0]] : 0.0;
    /* Twice the slip that friction ends; in the direction in which friction opens the gap. */
    const double slip = 2.0 * me->speed * (1.0 + 2.0 * (friction * r.S[1][1] + fabs(r.S[0][1])) / r.S[0][0]);
    const double shorter = h * 2.0 * me->speed / slip; /* the rows turn with the slip */
    SB_TRY(set_velocity(me, &r, -me->speed, r.S[0][1] > 0.0 ? -slip : slip));
    const int status = impact(me, &r, shorter, IMPACT, change, &over);
    if (me->start < 0.0 && sb_failure_is_result(status)) { /* it does not start where bodies overlap */
        me->start = 0.0;
        return test_impact(me, open, contact, i, h, e, mu);
    }
    SB_TRY(status);
    if (!over) {
        e->soft++;
        return SB_OK;
    }
    const double found = (change[0] - me->speed) / me->speed;
    snprintf(why, sizeof why, "the restitution of %s and %s is %.3g, and ours %.3g, at %.3g m/s",
             shape_name(me, contact, 0), shape_name(me, contact, 1), found, restitution, me->speed);
    note(e, fabs(found - restitution), COEFFICIENT, why);
    if (r.count > 1) {
        solve_rows(&r, change, z);
        const double ratio = hypot(z[1], z[2]) / z[0];
        snprintf(why, sizeof why, "the friction of %s and %s is %.3g, and ours %.3g", shape_name(me, contact, 0),
                 shape_name(me, contact, 1), ratio, friction);
        note(mu, fabs(ratio - friction), COEFFICIENT * (1.0 + friction), why);
    }
    return SB_OK;
}

/* Returns the number of gaps of a contact, in the order of the rows. */
static int gaps_of(const sb_touching *me, int contact) {
    const sb_world_shape *s = &me->parts.shape[me->parts.contact[contact].shape[1]];
    return s->kind == SB_BOX ? 1 << me->task->sys->world->dimension : s->kind == SB_CAPSULE ? 2 : 1;
}

static int write_worst(const sb_task *task, sb_check_id check, const worst *w, const char *undecided) {
    const bool passed = w->measured <= w->allowed;
    const sb_decision verdict = w->tested == 0 || (!passed && undecided != NULL) ? SB_UNCLEAR : (sb_decision)passed;
    return sb_check_write(task, &(sb_check_result){check, NULL, verdict, w->measured, w->allowed, undecided}, "%s",
                          w->why);
}

int sb_touching_write(sb_touching *me, const sb_scalar *q, double h) {
    const int m = me->task->sys->contact.m, contacts = me->parts.contacts;
    worst gap = {.allowed = GAP}, e = {.allowed = COEFFICIENT}, mu = {.allowed = COEFFICIENT};
    int all = 0, row = 0;
    h = h > 0.0 ? h : 1e-3 * me->length / me->speed;
    for (int k = 0; k < contacts; k++) {
        all += gaps_of(me, k);
    }
    for (int k = 0; k < contacts; k++) {
        const int i = all == m ? row : k * m / contacts; /* problems in C have the corners that may touch only */
        const int *pair = me->parts.contact[k].shape;
        /* A corner above the edge of a box touches no face of it. */
        if (me->parts.shape[pair[0]].kind != SB_BOX || me->parts.shape[pair[1]].kind != SB_BOX) {
            SB_TRY(test_gap(me, q, k, i, h, &gap));
            SB_TRY(test_impact(me, q, k, i, h, &e, &mu));
        }
        row += gaps_of(me, k);
    }
    const char *undecided =
        e.soft > 0 || e.tested == 0
            ? "an impact takes more than 100 steps, or other contacts are too near; take another --h of `physics`"
        : gap.measured <= gap.allowed ? NULL
                                      : "the shapes touch at another gap, at which they overlap here";
    SB_TRY(write_worst(me->task, SB_CHECK_GAPS, &gap, gap.tested > 0 ? NULL : undecided));
    SB_TRY(write_worst(me->task, SB_CHECK_RESTITUTION, &e, undecided));
    return me->task->sys->contact.k > 0 ? write_worst(me->task, SB_CHECK_FRICTION, &mu, undecided) : SB_OK;
}
