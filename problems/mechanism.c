/* A mechanism that a JSON file describes: planar or spatial bodies, joints, springs, dampers, drivers and gravity;
 * docs/adding-a-problem.md lists the keys. */

#include <stepbench/numerics/norm.h>
#include <stepbench/numerics/start.h>

#include "problems/shared/mechanism_file.h"
#include "problems/shared/shapes.h"
#include "problems/shared/start.h"

typedef struct config {
    const char *file;
} config;

/* The mechanism that is used if no file is given: a rod of 1 m that hangs by one end. */
static const char example[] = "{\"gravity\": [0, -9.81],\n"
                              " \"bodies\": {\"rod\": {\"mass\": 1, \"inertia\": 0.08, \"position\": [0.5, 0]}},\n"
                              " \"joints\": [{\"type\": \"revolute\", \"bodies\": [\"ground\", \"rod\"],\n"
                              "             \"points\": [[0, 0], [-0.5, 0]]}]}\n";

static int outputs(const void *self, sb_scalar t, const sb_scalar *q, const sb_scalar *v, sb_scalar *out) {
    const mechanism *p = self;
    sb_scalar x[3], d[JOINT_SIZE];
    for (const mechanism_observed *o = p->observed; o < p->observed + p->nobserved; o++) {
        if (o->joint) {
            const joint_row *r = &o->y.row[0];
            *out++ = sb_joint_measure_at(p->joints, &o->y, q, d, NULL);
            *out = 0.0;
            for (int j = 0; j < r->count; j++) {
                *out += d[j] * v[r->coordinate[j]];
            }
            out++;
        } else {
            sb_joint_vector_at(p->joints, &o->point, q, x, NULL);
            memcpy(out, x, (size_t)p->dimension * sizeof *x);
            out += p->dimension;
        }
    }
    return SB_OK;
}

/* Returns the least moment of inertia of a body; infinite: it has none. */
static sb_scalar least_moment(const joints *j, int b) {
    const sb_scalar *J = j->body[b].rigid.J;
    sb_scalar least = INFINITY;
    for (int k = j->body[b].planar ? 0 : 1; k < (j->body[b].planar ? 1 : 4); k++) {
        least = J[k] > 0.0 ? fmin(least, J[k]) : least;
    }
    return least;
}

/* Returns the moment of inertia of a body about an axis in it; infinite: it has none. */
static sb_scalar moment_about(const joints *j, int b, const sb_scalar axis[3]) {
    const sb_scalar *J = j->body[b].rigid.J;
    const sb_scalar moment =
        j->body[b].planar ? J[0] : J[1] * axis[0] * axis[0] + J[2] * axis[1] * axis[1] + J[3] * axis[2] * axis[2];
    return moment > 0.0 ? moment : INFINITY;
}

/* Returns the largest of the frequency of a drive's spring and the rates of its motions. A spring along a line moves
 * the least mass of all, a spring about an axis the least moment of inertia of its bodies, and its armature. */
static sb_scalar drive_fastest(const joints *j, const joint_drive *d, sb_scalar least) {
    const bool turns = d->y.kind == MEASURE_ANGLE || d->y.row[0].kind == JOINT_TURN;
    least = turns ? INFINITY : least;
    for (int s = 0; s < 2 && turns; s++) {
        const int b = d->y.row[0].u[s].body;
        least = b != JOINTS_GROUND ? fmin(least, moment_about(j, b, d->axis[s])) : least;
    }
    const sb_scalar spring = sqrt(fmax(d->k, d->k_limit) / (isinf(least) ? d->armature : least + d->armature));
    return fmax(isfinite(spring) ? spring : 0.0,
                fmax(motion_fastest(&d->target), fmax(motion_fastest(&d->rate), motion_fastest(&d->force))));
}

/* Returns the inverse of the fastest of: the rates of drivers, motions and bodies, springs, a body that a torque turns
 * by half a radian, and a pendulum as long as the longest arm of a joint or the smallest radius or side of a shape. */
static sb_scalar time_scale(const mechanism *p) {
    const joints *j = p->joints;
    sb_scalar fastest = 0.0, arm = 0.0, least = INFINITY;
    for (int k = 0; k < j->ndrivers; k++) {
        fastest = fmax(fastest, fabs(j->driver[k].rate));
    }
    for (int k = 0; k < j->ntorques; k++) {
        const motion *size = &j->torque[k].size;
        const sb_scalar turning = (fabs(size->offset) + fabs(size->amplitude)) / least_moment(j, j->torque[k].body);
        fastest = fmax(fastest, fmax(sqrt(turning), motion_fastest(size)));
    }
    for (int b = 0; b < j->nbodies; b++) {
        const int from = j->body[b].at + p->dimension;
        least = j->body[b].rigid.m > 0.0 ? fmin(least, j->body[b].rigid.m) : least;
        for (int k = 0; k < (p->dimension == 2 ? 1 : 4); k++) {
            fastest = fmax(fastest, (p->dimension == 2 ? 1.0 : 2.0) * fabs(p->v0[from + k]));
        }
    }
    for (const joint_row *r = j->row; r < j->row + j->nrows; r++) {
        for (int s = 0; s < r->vectors && r->kind == JOINT_FORM; s++) {
            const joint_vector *u = &r->u[s];
            arm = u->point && u->body != JOINTS_GROUND ? fmax(arm, sb_norm_max(3, u->a)) : arm;
        }
        if (r->driven != NULL) {
            fastest = fmax(fastest, motion_fastest(&r->driven->motion));
            fastest = r->driven->kind == DRIVEN_ANGLE ? fmax(fastest, fabs(r->driven->motion.rate)) : fastest;
        }
    }
    for (int k = 0; k < j->ndrives; k++) {
        fastest = fmax(fastest, drive_fastest(j, j->drive[k], least));
    }
    arm = j->shapes != NULL ? fmax(arm, sb_shapes_length(j->shapes)) : arm;
    fastest = arm > 0.0 ? fmax(fastest, sqrt(sb_norm_max(3, j->gravity) / arm)) : fastest;
    return time_scale_of(fastest);
}

/* Sets the sizes of the coordinates: L, the longest arm of a joint, for positions and L/arm for the turning of a body,
 * so that the ends of the arms move by the same length. */
static void set_sizes(const mechanism *p, sb_scalar *size) {
    const joints *j = p->joints;
    sb_scalar length = 0.0;
    for (const joint_row *r = j->row; r < j->row + j->nrows; r++) {
        for (int s = 0; s < r->vectors && r->kind == JOINT_FORM; s++) {
            const joint_vector *u = &r->u[s];
            if (u->point && u->body != JOINTS_GROUND) {
                sb_scalar *arm = &size[j->body[u->body].at + p->dimension];
                *arm = fmax(*arm, sb_norm_max(3, u->a));
                length = fmax(length, *arm);
            }
        }
    }
    length = length > 0.0 ? length : 1.0;
    for (int b = 0; b < j->nbodies; b++) {
        sb_scalar *of = size + j->body[b].at;
        const sb_scalar arm = of[p->dimension];
        for (int k = 0; k < (p->dimension == 2 ? PLANAR_COORDINATES : BODY_COORDINATES); k++) {
            of[k] = k < p->dimension ? length : arm > 0.0 ? length / arm : 1.0;
        }
    }
}

/* Solves for the pose, and for the velocities at that pose. */
static int solve_state(sb_context *ctx, mechanism *p, const sb_scalar *size, const sb_system *sys) {
    SB_TRY(sb_start_positions(ctx, "mechanism", sys, 0.0, p->moves, size, p->q0));
    for (int b = 0; b < p->joints->nbodies && p->dimension == 3; b++) {
        const int at = p->joints->body[b].at;
        body_set_turning(p->q0 + at, p->rate[b], p->v0 + at);
    }
    return sb_start_velocities(ctx, "mechanism", sys, 0.0, p->moves_v, size, p->q0, p->v0);
}

/* Largest change of a pose, over the sizes, that leaves it as it is given. */
static const sb_scalar given_digits = SB_GIVEN_TOL;

/* Returns how far the solve has moved the poses that the file gives, over the sizes; sets *most to the coordinate that
 * moved most. */
static sb_scalar find_change(const mechanism *p, int n, const sb_scalar *size, const sb_scalar *guess, int *most) {
    sb_scalar largest = 0.0, scale = 1.0;
    for (int i = 0; i < n; i++) {
        const sb_scalar change = fabs(p->q0[i] - guess[i]) / size[i];
        scale = fmax(scale, fabs(guess[i]) / size[i]);
        if (p->given[i] && change > largest) {
            largest = change;
            *most = i;
        }
    }
    return largest / scale;
}

/* Describes what of the start the file gives and what was solved for, and reports poses that were changed. */
static int describe_start(sb_context *ctx, sb_arena *arena, const mechanism *p, const char *file, const sb_scalar *size,
                          const sb_scalar *guess, sb_system *sys) {
    int stay = 0, given = 0, velocities = 0, most = 0;
    char *changed = "", *text;
    for (int i = 0; i < sys->n; i++) {
        stay += !p->moves[i];
        given += p->given[i] && p->moves[i];
        velocities += !p->moves_v[i];
    }
    if (find_change(p, sys->n, size, guess, &most) > given_digits) {
        SB_PRINT(arena, changed, "; the poses given are moved onto the joints, most of all %s, from %.9g to %.9g",
                 sys->coordinates[most], (double)guess[most], (double)p->q0[most]);
        SB_PRINT(arena, text, "mechanism: %s: %s", file, changed + 2);
        if (ctx->notice != NULL) {
            ctx->notice(ctx->notice_arg, text);
        }
    }
    SB_PRINT(
        arena, text,
        "bodies: %d; coordinates: %d as given, %d solved for from %d guesses of the file; velocities: %d as given, "
        "%d solved for%s",
        p->joints->nbodies, stay, sys->n - stay, given, velocities, sys->n - velocities, changed);
    sys->start = text;
    return SB_OK;
}

/* Solves for a consistent start from the poses and velocities of the file. */
static int solve_start(const node *root, mechanism *p, sb_system *sys) {
    sb_scalar *size, *guess;
    SB_SCRATCH(scratch, root->from->ctx);
    SB_TRY(SB_VECTORS(&scratch, sys->n, &size, &guess));
    set_sizes(p, size);
    memcpy(guess, p->q0, (size_t)sys->n * sizeof *guess);
    const int status = solve_state(root->from->ctx, p, size, sys);
    if (status == SB_INCONSISTENT) {
        return NODE_FAIL(
            root, "no start satisfies the joints and drivers: %s; a velocity that the file does not give is free",
            root->from->ctx->message);
    }
    SB_TRY(status);
    for (int i = 0; i < p->joints->nrows; i++) {
        if (!sb_joint_row_aligned(p->joints, &p->joints->row[i], 0.0, p->q0)) {
            return NODE_FAIL(
                root, "the angle of a driver starts half a turn from where the solve for the start arrives; turn "
                      "the pose of its second body to the angle at t = 0");
        }
    }
    return describe_start(root->from->ctx, root->from->arena, p, root->from->file, size, guess, sys);
}

static int init(sb_context *ctx, sb_arena *arena, const void *parameters, sb_system *out) {
    const config *c = parameters;
    description file = {.ctx = ctx, .arena = arena, .what = "mechanism", .file = c->file, .text = example};
    node root;
    mechanism *p;
    char *text;
    SB_NEW(arena, p, 1);
    if (c->file[0] != '\0') {
        SB_TRY(sb_text_read(ctx, arena, c->file, &text));
        file.text = text;
    }
    SB_TRY(sb_description_open(&file, &root));
    SB_TRY(sb_mechanism_read(&root, p));
    SB_TRY(sb_joints_finish(arena, p->joints, out));
    out->holonomic.names = p->rows;
    out->nonholonomic.names = p->drivers;
    SB_TRY(sb_joints_offer(arena, p->joints, p->names, out));
    SB_TRY(solve_start(&root, p, out));
    SB_TRY(sb_mechanism_check_massless(&root, p, out));
    SB_TRY(p->joints->shapes != NULL ? sb_shapes_finish(arena, p->q0, p->joints->shapes, out) : SB_OK);
    out->note = p->note;
    out->breaks = p->breaks;
    out->break_at = p->break_at;
    out->time_scale = p->time_scale > 0.0 ? p->time_scale : time_scale(p);
    out->period = p->period;
    for (int k = 0; k < p->nobserved; k++) {
        sb_joint_measure_layout(p->joints, &p->observed[k].y);
    }
    if (p->nobserved > 0) {
        out->outputs = (sb_outputs){p, p->noutputs, p->output, outputs};
    }
    return set_start(arena, p->q0, p->v0, out);
}

static const sb_param params[] = {
    SB_PARAM_TEXT(config, file, "",
                  "the description, as problems/mechanisms/bricard.json; without one, a rod that hangs on one end"),
    {.name = NULL},
};

SB_DEFINE_PROBLEM(mechanism) = {
    .entry = {"mechanism", "planar or spatial mechanism that a JSON file describes", "haug89", params, sizeof(config)},
    .init = init,
};
