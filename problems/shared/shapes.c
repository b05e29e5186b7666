/* Contacts between shapes: gaps, tangents, and the terms of a system. */
#include "problems/shared/shapes.h"
#include "problems/shared/pairs.h"

enum { TANGENTS = 2, CORNERS = 8 };

static sb_scalar dot(const sb_scalar a[3], const sb_scalar b[3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

/* ---- A gap at a position. ---- */

typedef struct touch {
    sb_scalar xi, n[3], point[3]; /* point: c - r n */
} touch;

/* Sets the gap; sets its gradient d in the coordinates of its row unless d is NULL. SB_DOMAIN: the centres of two
 * spheres coincide. */
static int touch_at(const shapes *p, const shape_gap *s, const sb_scalar *q, sb_scalar *d, touch *out) {
    const joint_row *r = &s->row;
    sb_scalar c[3], o[3];
    out->xi = sb_joint_row_at(p->of, r, q, d, NULL);
    sb_joint_vector_at(p->of, &r->u[r->vectors - 1], q, c, NULL);
    sb_joint_vector_at(p->of, &r->u[0], q, s->spheres ? o : out->n, NULL);
    if (s->spheres) {
        const sb_scalar L = sqrt(2.0 * out->xi);
        if (!(L > 0.0)) {
            return SB_DOMAIN;
        }
        out->xi = L - s->apart;
        for (int k = 0; k < 3; k++) {
            out->n[k] = (c[k] - o[k]) / L;
        }
        for (int j = 0; j < r->count && d != NULL; j++) {
            d[j] /= L;
        }
    }
    for (int k = 0; k < 3; k++) {
        out->point[k] = c[k] - s->radius * out->n[k];
    }
    return SB_OK;
}

/* Sets a tangent. Those of two spheres turn with n from the start by the smallest rotation,
 *
 *   t = t0 - (n . t0)/(1 + n . n0) (n + n0),
 *
 * which is smooth but at n = -n0, where t0 is a tangent. */
static void tangent_at(const shapes *p, const shape_gap *s, const touch *at, int k, const sb_scalar *q,
                       sb_scalar t[3]) {
    sb_joint_vector_at(p->of, &s->across[k], q, t, NULL);
    if (s->spheres) {
        const sb_scalar turned = 1.0 + dot(at->n, s->normal), share = turned > 0.0 ? dot(at->n, t) / turned : 0.0;
        for (int i = 0; i < 3; i++) {
            t[i] -= share * (at->n[i] + s->normal[i]);
        }
    }
}

/* Returns the bodies of a gap: of the first shape, and of the second. */
static int first_body(const shape_gap *s) { return s->row.u[0].body; }
static int second_body(const shape_gap *s) { return s->row.u[s->row.vectors - 1].body; }

/* Sets the derivatives of the velocity along t of a body's material point in the rates of its coordinates, times
 * `sign`; returns their number. In space, with the arm r: t . x' + 2 (r x t) . (e' conj(e)). */
static int velocity_along(const shapes *p, int b, const sb_scalar point[3], const sb_scalar t[3], sb_scalar sign,
                          const sb_scalar *q, sb_scalar *out) {
    sb_scalar arm[3] = {0.0}, moment[3];
    const int count = sb_joints_coordinates(p->of, b), dimension = count == PLANAR_COORDINATES ? 2 : 3;
    if (count == 0) {
        return 0;
    }
    const sb_scalar *x = q + p->of->body[b].at;
    for (int k = 0; k < dimension; k++) {
        out[k] = sign * t[k];
        arm[k] = point[k] - x[k];
    }
    sb_cross(arm, t, moment);
    if (dimension == 2) {
        out[PLANAR_PHI] = sign * moment[2];
    } else {
        const sb_scalar factor = 2.0 * sign;
        sb_quaternion_product((sb_scalar[4]){0.0, factor * moment[0], factor * moment[1], factor * moment[2]},
                              x + BODY_E, out + BODY_E);
    }
    return count;
}

/* ---- The terms. ---- */

static int gaps(const void *self, const sb_scalar *q, sb_scalar *xi, sb_scalar *Nx) {
    const shapes *p = self;
    sb_scalar d[JOINT_SIZE];
    for (int i = 0; i < p->ngaps; i++) {
        const shape_gap *s = &p->gap[i];
        touch at;
        SB_TRY(touch_at(p, s, q, Nx != NULL ? d : NULL, &at));
        if (xi != NULL) {
            xi[i] = at.xi;
        }
        for (int j = 0; j < s->row.count && Nx != NULL; j++) {
            if (s->row.at_G[j] >= 0) {
                Nx[s->row.at_G[j]] = d[j];
            }
        }
    }
    return SB_OK;
}

/* Sets the columns of a gap: the lower body's entries stand first. */
static int slip(const void *self, sb_scalar t, const sb_scalar *q, sb_scalar *Dx, sb_scalar *w) {
    const shapes *p = self;
    for (int j = 0; j < p->nfriction && w != NULL; j++) {
        w[j] = 0.0;
    }
    for (const shape_gap *s = p->gap; s < p->gap + p->ngaps && Dx != NULL; s++) {
        const int first = first_body(s), second = second_body(s);
        touch at;
        SB_TRY(touch_at(p, s, q, NULL, &at));
        for (int k = 0; k < p->tangents && s->law->friction > 0.0; k++) {
            sb_scalar along[3];
            tangent_at(p, s, &at, k, q, along);
            for (int side = 0; side < 2; side++) {
                const bool of_first = (side == 0) == (first < second);
                Dx += velocity_along(p, of_first ? first : second, at.point, along, of_first ? -1.0 : 1.0, q, Dx);
            }
        }
    }
    return p->joints.k > 0 ? p->joints.slip(p->joints.self, t, q, Dx, w != NULL ? w + p->nfriction : NULL) : SB_OK;
}

/* ---- Building. ---- */

bool sb_shapes_meet(sb_world_shape_kind first, sb_world_shape_kind second) {
    return first == SB_SPHERE ? second == SB_SPHERE : first != SB_CAPSULE && second != SB_PLANE;
}

sb_scalar sb_shapes_length(const shapes *p) {
    const int dimension = p->tangents + 1;
    sb_scalar least = INFINITY;
    for (const sb_world_shape *s = p->shape; s < p->shape + p->nshapes; s++) {
        for (int k = 0; k < dimension && s->kind == SB_BOX; k++) {
            least = fmin(least, s->size[k]);
        }
        least = s->radius > 0.0 ? fmin(least, s->radius) : least;
    }
    return isfinite(least) ? least : 0.0;
}

static joint_vector vector_of(int b, bool point, const sb_scalar a[3]) {
    return (joint_vector){.body = b, .point = point, .a = {a[0], a[1], a[2]}};
}

/* Sets the plane of a face of a box: the one that a point of space is farthest in front of. */
static void find_face(const shapes *p, const sb_world_shape *box, const sb_scalar *to, const sb_scalar *q0,
                      joint_vector *normal, joint_vector *on) {
    sb_scalar farthest = -INFINITY;
    for (int face = 0; face < 2 * (p->tangents + 1); face++) {
        const int axis = face / 2;
        sb_scalar n[3] = {0.0}, at[3], x[3], direction[3];
        n[axis] = face % 2 == 0 ? 1.0 : -1.0;
        memcpy(at, box->point[0], sizeof at);
        at[axis] += 0.5 * n[axis] * box->size[axis];
        const joint_vector out = vector_of(box->body, false, n), in = vector_of(box->body, true, at);
        sb_joint_vector_at(p->of, &in, q0, x, NULL);
        sb_joint_vector_at(p->of, &out, q0, direction, NULL);
        const sb_scalar front = dot(direction, to) - dot(direction, x);
        if (front > farthest) {
            farthest = front;
            *normal = out;
            *on = in;
        }
    }
}

/* Returns the number of spheres of a shape, and sets their centres in its body: itself, the ends of a capsule, or the
 * corners of a box. */
static int find_spheres(const shapes *p, const sb_world_shape *s, sb_scalar centre[CORNERS][3]) {
    const int dimension = p->tangents + 1, count = s->kind == SB_BOX ? 1 << dimension : s->kind == SB_CAPSULE ? 2 : 1;
    for (int c = 0; c < count; c++) {
        memcpy(centre[c], s->point[s->kind == SB_CAPSULE ? c : 0], sizeof centre[c]);
        for (int k = 0; k < dimension && s->kind == SB_BOX; k++) {
            centre[c][k] += ((c >> k & 1) != 0 ? 0.5 : -0.5) * s->size[k];
        }
    }
    return count;
}

/* Sets the tangents of a normal in its body: in the plane the normal turned by a right angle clockwise. */
static void set_tangents(const shapes *p, const joint_vector *normal, shape_gap *s) {
    sb_joints_across(normal, s->across);
    if (p->tangents == 1) {
        s->across[0] = vector_of(normal->body, false, (sb_scalar[3]){normal->a[1], -normal->a[0], 0.0});
    }
}

static int add_gaps(sb_context *ctx, shapes *p, const sb_world_contact *law, const sb_scalar *q0) {
    const sb_world_shape *first = &p->shape[law->shape[0]], *second = &p->shape[law->shape[1]];
    sb_scalar centre[CORNERS][3], middle[3], x[3];
    const int count = find_spheres(p, second, centre);
    joint_vector normal = vector_of(first->body, false, first->normal),
                 on = vector_of(first->body, true, first->point[0]);
    memset(middle, 0, sizeof middle);
    for (int c = 0; c < count; c++) {
        const joint_vector of = vector_of(second->body, true, centre[c]);
        sb_joint_vector_at(p->of, &of, q0, x, NULL);
        for (int k = 0; k < 3; k++) {
            middle[k] += x[k] / count;
        }
    }
    if (first->kind == SB_BOX) {
        find_face(p, first, middle, q0, &normal, &on);
    }
    for (int c = 0; c < count; c++) {
        const joint_vector of = vector_of(second->body, true, centre[c]);
        shape_gap *s = &p->gap[p->ngaps++];
        *s = (shape_gap){.law = law, .radius = second->radius, .spheres = first->kind == SB_SPHERE};
        if (s->spheres) {
            touch at;
            s->row = sb_joints_distance(on, of, 0.0);
            s->apart = first->radius + second->radius;
            if (touch_at(p, s, q0, NULL, &at) != SB_OK) {
                return sb_fail(ctx, SB_INCONSISTENT, "the centres of %s and %s coincide", first->name, second->name);
            }
            memcpy(s->normal, at.n, sizeof at.n);
            normal = vector_of(JOINTS_GROUND, false, at.n);
        } else {
            s->row = sb_joints_sliding(normal, on, of);
            s->row.constant = -s->radius;
        }
        set_tangents(p, &normal, s);
        sb_joint_row_layout(p->of, &s->row);
    }
    return SB_OK;
}

/* Builds N, and the positions of the gradients on it; D has full columns of the coordinates of both bodies. */
static int set_patterns(sb_arena *arena, shapes *p, sb_contact *out) {
    pairs N, D;
    int friction = 0;
    SB_TRY(pairs_new(arena, JOINT_SIZE * p->ngaps, &N));
    SB_TRY(pairs_new(arena, JOINT_SIZE * (p->nfriction + p->joints.k), &D));
    for (int i = 0; i < p->ngaps; i++) {
        const joint_row *r = &p->gap[i].row;
        for (int j = 0; j < r->count; j++) {
            if (r->at_G[j] >= 0) {
                pairs_add(&N, r->coordinate[j], i);
            }
        }
        for (int k = 0; k < p->tangents && p->gap[i].law->friction > 0.0; k++, friction++) {
            for (int j = 0; j < r->count; j++) {
                pairs_add(&D, r->coordinate[j], friction);
            }
        }
    }
    SB_TRY(pairs_pattern(arena, &N, p->of->n, p->ngaps, &out->N));
    for (int i = 0; i < p->ngaps; i++) {
        joint_row *r = &p->gap[i].row;
        for (int j = 0; j < r->count; j++) {
            r->at_G[j] = r->at_G[j] >= 0 ? sb_pattern_find(&out->N, r->coordinate[j], i) : -1;
        }
    }
    for (int k = 0; k < p->joints.k; k++, friction++) {
        for (int i = p->joints.D.p[k]; i < p->joints.D.p[k + 1]; i++) {
            pairs_add(&D, p->joints.D.i[i], friction);
        }
    }
    return pairs_pattern(arena, &D, p->of->n, friction, &out->D);
}

int sb_shapes_finish(sb_arena *arena, const sb_scalar *q0, shapes *p, sb_system *out) {
    const int own = out->contact.k;
    sb_scalar *mu, *limit, *restitution;
    int *of, *with;
    p->joints = out->contact;
    SB_NEW(arena, p->gap, CORNERS * p->ncontacts);
    for (int c = 0; c < p->ncontacts; c++) {
        SB_TRY(add_gaps(arena->ctx, p, &p->contact[c], q0));
    }
    SB_TRY(SB_VECTORS(arena, p->tangents * p->ngaps + own, &mu, &limit, &restitution));
    SB_NEW(arena, of, p->tangents * p->ngaps + own);
    SB_NEW(arena, with, p->tangents * p->ngaps + own);
    for (int i = 0; i < p->ngaps; i++) {
        const sb_world_contact *law = p->gap[i].law;
        restitution[i] = law->restitution;
        for (int k = 0; k < p->tangents && law->friction > 0.0; k++) {
            mu[p->nfriction] = law->friction;
            of[p->nfriction] = sb_system_bilateral(out) + i;
            with[p->nfriction] = p->tangents == 1 ? -1 : k == 0 ? p->nfriction + 1 : p->nfriction - 1;
            p->nfriction++;
        }
    }
    for (int k = 0; k < own; k++) {
        limit[p->nfriction + k] = p->joints.limit[k];
        of[p->nfriction + k] = with[p->nfriction + k] = -1;
    }
    out->contact = (sb_contact){.self = p,
                                .m = p->ngaps,
                                .k = p->nfriction + own,
                                .gap = gaps,
                                .slip = p->nfriction + own > 0 ? slip : NULL,
                                .of = of,
                                .mu = mu,
                                .limit = own > 0 ? limit : NULL,
                                .with = with,
                                .restitution = restitution};
    return set_patterns(arena, p, &out->contact);
}
