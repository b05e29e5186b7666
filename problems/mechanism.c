/* A mechanism that a JSON file describes: planar or spatial bodies, joints, springs, dampers, drivers and gravity;
 * docs/adding-a-problem.md lists the keys. */
#include <stdio.h>

#include <stepbench/numerics/norm.h>
#include <stepbench/numerics/start.h>

#include "problems/shared/mechanism_moved.h"
#include "problems/shared/start.h"

typedef struct config {
    const char *file;
} config;

/* The mechanism without a file: a rod of 1 m that hangs on one end. */
static const char example[] = "{\"gravity\": [0, -9.81],\n"
                              " \"bodies\": {\"rod\": {\"mass\": 1, \"inertia\": 0.08, \"position\": [0.5, 0]}},\n"
                              " \"joints\": [{\"type\": \"revolute\", \"bodies\": [\"ground\", \"rod\"],\n"
                              "             \"points\": [[0, 0], [-0.5, 0]]}]}\n";

/* ---- Drivers of velocities: planar, phi' = rate; in space, 2 axis . (e' conj(e)) = rate, linear in both. ---- */

static int drivers_value(const void *self, sb_scalar t, const sb_scalar *q, sb_scalar *Ax, sb_scalar *w) {
    const crank *p = self;
    for (int i = 0; i < p->ndrivers; i++) {
        const driver *d = &p->driver[i];
        if (w != NULL) {
            w[i] = d->rate;
        }
        if (Ax != NULL && p->dimension == 2) {
            Ax[i] = 1.0;
        } else if (Ax != NULL) {
            joints_turning(d->axis, q + p->joints->body[d->body].at + BODY_E, true, Ax + 4 * i);
        }
    }
    return SB_OK;
}

static int drivers_rate(const void *self, sb_scalar t, const sb_scalar *q, const sb_scalar *v, sb_scalar *out) {
    const crank *p = self;
    memset(out, 0, (size_t)p->ndrivers * sizeof *out);
    return SB_OK;
}

static int drivers_gradient(const void *self, sb_scalar t, const sb_scalar *q, const sb_scalar *v, sb_scalar *Ax) {
    const crank *p = self;
    for (int i = 0; i < p->ndrivers; i++) {
        joints_turning(p->driver[i].axis, v + p->joints->body[p->driver[i].body].at + BODY_E, false, Ax + 4 * i);
    }
    return SB_OK;
}

static int outputs(const void *self, sb_scalar t, const sb_scalar *q, const sb_scalar *v, sb_scalar *out) {
    const crank *p = self;
    for (int k = 0; k < p->npoints; k++) {
        sb_scalar x[3], J[3][BODY_COORDINATES];
        joint_vector_at(p->joints, &p->point[k], q, x, J);
        memcpy(out + p->dimension * k, x, (size_t)p->dimension * sizeof *x);
    }
    return SB_OK;
}

/* Returns the inverse of the fastest of: the rates of drivers and bodies, springs, and a pendulum as long as the
 * longest arm of a joint. */
static sb_scalar time_scale(const crank *p) {
    const joints *j = p->joints;
    sb_scalar fastest = 0.0, arm = 0.0, least = INFINITY;
    for (int k = 0; k < p->ndrivers; k++) {
        fastest = fmax(fastest, fabs(p->driver[k].rate));
    }
    for (int k = 0; k < p->driven.count; k++) {
        const driven *d = &p->driven.driven[k];
        fastest = fmax(fastest, motion_fastest(&d->motion));
        fastest = d->kind == DRIVEN_ANGLE ? fmax(fastest, fabs(d->motion.rate)) : fastest;
    }
    for (int k = 0; k < p->applied.count; k++) {
        fastest = fmax(fastest, motion_fastest(&p->applied.list[k].size));
    }
    for (int b = 0; b < j->nbodies; b++) {
        const int from = j->body[b].at + p->dimension;
        least = fmin(least, j->body[b].rigid.m);
        for (int k = 0; k < (p->dimension == 2 ? 1 : 4); k++) {
            fastest = fmax(fastest, (p->dimension == 2 ? 1.0 : 2.0) * fabs(p->v0[from + k]));
        }
    }
    for (int k = 0; k < j->nrows; k++) {
        for (int s = 0; s < j->row[k].vectors && j->row[k].kind == JOINT_FORM; s++) {
            const joint_vector *u = &j->row[k].u[s];
            arm = u->point && u->body != JOINTS_GROUND ? fmax(arm, sb_norm_max(3, u->a)) : arm;
        }
    }
    for (int s = 0; s < j->nsprings; s++) {
        fastest = fmax(fastest, sqrt(j->spring[s].k / least));
    }
    fastest = arm > 0.0 ? fmax(fastest, sqrt(sb_norm_max(3, j->gravity) / arm)) : fastest;
    return fastest > 0.0 ? 1.0 / fastest : 1.0;
}

/* ---- Building. ---- */

/* Reads the items of a member that is a list. */
static int read_list(const node *root, const char *key, int (*read)(const node *at, crank *p), crank *p) {
    const node at = node_member(root, key);
    int count;
    SB_TRY(node_count(&at, &count));
    for (int k = 0; k < count; k++) {
        const node item = node_item(&at, k);
        SB_TRY(read(&item, p));
    }
    return SB_OK;
}

static int read_outputs(const node *root, sb_arena *arena, crank *p) {
    const node at = node_member(root, "outputs");
    const char *name;
    json_t *value;
    if (at.value != NULL && !json_is_object(at.value)) {
        return NODE_FAIL(&at, "an object {name: {\"body\": ..., \"point\": [...]}} is needed");
    }
    json_object_foreach((json_t *)at.value, name, value) { SB_TRY(read_output(&at, name, arena, p)); }
    return SB_OK;
}

/* Makes room for what the file has: a joint has five rows at most, a body and a driver one. */
static int make_room(const node *root, sb_arena *arena, crank *p) {
    const node bodies = node_member(root, "bodies"), joined = node_member(root, "joints"),
               springs = node_member(root, "springs"), drivers = node_member(root, "drivers"),
               forces = node_member(root, "forces"), outputs_at = node_member(root, "outputs");
    const int nbodies = (int)json_object_size(bodies.value), noutputs = (int)json_object_size(outputs_at.value);
    int njoints, nsprings, ndrivers, nforces;
    SB_TRY(node_count(&joined, &njoints));
    SB_TRY(node_count(&springs, &nsprings));
    SB_TRY(node_count(&drivers, &ndrivers));
    SB_TRY(node_count(&forces, &nforces));
    SB_NEW(arena, p->driver, ndrivers);
    SB_NEW(arena, p->driven.driven, ndrivers);
    SB_NEW(arena, p->applied.list, nforces);
    SB_NEW(arena, p->point, noutputs);
    SB_NEW(arena, p->output, 3 * noutputs);
    SB_NEW(arena, p->moves, BODY_COORDINATES * nbodies);
    return joints_new(arena, nbodies, 5 * njoints + nbodies + ndrivers, nsprings, nforces, &p->joints);
}

static int read_file(const node *root, sb_arena *arena, crank *p, sb_scalar *scale) {
    SB_TRY(node_keys(root, "gravity|time_scale|bodies|joints|springs|drivers|forces|independent|outputs"));
    SB_TRY(make_room(root, arena, p));
    SB_TRY(read_bodies(root, arena, p));
    SB_TRY(node_vector(root, "gravity", false, p->dimension, p->joints->gravity));
    SB_TRY(node_number(root, "time_scale", 0.0, 0.0, scale));
    for (int k = 0; k < p->joints->n; k++) {
        p->moves[k] = true;
    }
    SB_TRY(read_list(root, "joints", read_joint, p));
    SB_TRY(read_list(root, "springs", read_spring, p));
    SB_TRY(read_list(root, "forces", read_force, p));
    SB_TRY(read_list(root, "independent", read_independent, p));
    SB_TRY(read_outputs(root, arena, p));
    joints_add_quaternions(p->joints);
    return read_list(root, "drivers", read_driver, p); /* the rows of driven joints are the last */
}

static int set_drivers(sb_arena *arena, const crank *p, sb_system *out) {
    const int each = p->dimension == 2 ? 1 : 4;
    int *row, *col;
    SB_NEW(arena, row, each * p->ndrivers);
    SB_NEW(arena, col, each * p->ndrivers);
    for (int k = 0; k < each * p->ndrivers; k++) {
        row[k] = p->joints->body[p->driver[k / each].body].at + p->dimension + k % each;
        col[k] = k / each;
    }
    out->nonholonomic = (sb_nonholonomic){
        .self = p, .m = p->ndrivers, .value = drivers_value, .rate = drivers_rate, .gradient = drivers_gradient};
    if (each == 1) {
        out->nonholonomic.gradient = NULL;
    }
    return sb_pattern_from_pairs(arena, p->joints->n, p->ndrivers, each * p->ndrivers, row, col, &out->nonholonomic.A);
}

/* Solves for a consistent start from the poses and velocities of the file. */
static int start(const node *root, crank *p, const sb_system *sys) {
    const int status = sb_start_solve(root->from->ctx, "mechanism", sys, 0.0, p->moves, p->moves, p->q0, p->v0);
    if (status == SB_INCONSISTENT) {
        return NODE_FAIL(root, "no start satisfies the joints and drivers: %s", root->from->ctx->message);
    }
    SB_TRY(status);
    for (int i = 0; i < p->driven.count; i++) {
        if (!driven_aligned(&p->driven, i, 0.0, p->q0)) {
            return NODE_FAIL(
                root, "the angle of a driver starts half a turn from where the solve for the start arrives; turn "
                      "the pose of its second body to the angle at t = 0");
        }
    }
    return SB_OK;
}

static int init(sb_context *ctx, sb_arena *arena, const void *parameters, sb_system *out) {
    const config *c = parameters;
    description file = {.ctx = ctx, .arena = arena, .what = "mechanism", .file = c->file, .text = example};
    node root;
    crank *p;
    char *text;
    sb_scalar scale;
    SB_NEW(arena, p, 1);
    if (c->file[0] != '\0') {
        SB_TRY(sb_text_read(ctx, arena, c->file, &text));
        file.text = text;
    }
    SB_TRY(description_open(&file, &root));
    SB_TRY(read_file(&root, arena, p, &scale));
    SB_TRY(joints_finish(arena, p->joints, out));
    if (p->applied.count > 0) {
        applied_finish(p->joints, &p->applied, out);
    }
    if (p->driven.count > 0) {
        driven_finish(p->joints, &p->driven, out);
    }
    if (p->ndrivers > 0) {
        SB_TRY(set_drivers(arena, p, out));
    }
    SB_TRY(start(&root, p, out));
    out->time_scale = scale > 0.0 ? scale : time_scale(p);
    if (p->npoints > 0) {
        out->outputs = (sb_outputs){p, p->dimension * p->npoints, p->output, outputs};
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
