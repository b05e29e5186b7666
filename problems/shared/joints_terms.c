/* Terms of mechanisms of rigid bodies: inertia, gravity, springs, dampers, forces, joints and drivers. */
#include "problems/shared/joints.h"
#include "problems/shared/pairs.h"

/* ---- Inertia. ---- */

static int mass(const void *self, const sb_scalar *q, sb_scalar *Mx) {
    const joints *p = self;
    memset(Mx, 0, (size_t)sb_pattern_nnz(&p->M) * sizeof *Mx);
    for (int b = 0; b < p->nbodies; b++) {
        const joints_body *of = &p->body[b];
        const int *at = p->at_M[b];
        if (of->planar) {
            Mx[at[0]] = Mx[at[1]] = of->rigid.m;
            Mx[at[PLANAR_PHI]] = of->rigid.J[0];
            continue;
        }
        sb_scalar X[BODY_NNZ];
        body_mass(&of->rigid, q + of->at, X);
        for (int k = 0; k < BODY_NNZ; k++) {
            Mx[at[k]] = X[k];
        }
    }
    sb_joints_armature_mass(p, q, Mx);
    return SB_OK;
}

static int kinetic_gradient(const void *self, const sb_scalar *q, const sb_scalar *v, sb_scalar *Tq) {
    const joints *p = self;
    memset(Tq, 0, (size_t)p->n * sizeof *Tq);
    for (int b = 0; b < p->nbodies; b++) {
        const joints_body *of = &p->body[b];
        if (!of->planar) {
            body_kinetic_gradient(&of->rigid, q + of->at, v + of->at, Tq + of->at);
        }
    }
    sb_joints_armature_gradient(p, q, v, Tq);
    return SB_OK;
}

static int kinetic_hessian(const void *self, const sb_scalar *q, const sb_scalar *v, sb_scalar cqq, sb_scalar cqv,
                           sb_scalar cvq, sb_scalar *Hx) {
    const joints *p = self;
    for (int b = 0; b < p->nbodies; b++) {
        const joints_body *of = &p->body[b];
        sb_scalar X[BODY_NNZ] = {0.0};
        if (of->planar) {
            continue;
        }
        body_kinetic_hessian(&of->rigid, q + of->at, v + of->at, cqq, cqv, cvq, X);
        for (int k = 0; k < BODY_NNZ; k++) {
            Hx[p->at_body[b][k]] += X[k];
        }
    }
    sb_joints_armature_hessian(p, q, v, cqq, cqv, cvq, Hx);
    return SB_OK;
}

/* ---- Gravity and drives. ---- */

static int potential(const void *self, sb_scalar t, const sb_scalar *q, sb_scalar *V) {
    const joints *p = self;
    *V = 0.0;
    for (int b = 0; b < p->nbodies; b++) {
        for (int k = 0; k < (p->body[b].planar ? 2 : 3); k++) {
            *V -= p->body[b].rigid.m * p->gravity[k] * q[p->body[b].at + k];
        }
    }
    sb_joints_drives_potential(p, t, q, V, NULL);
    return SB_OK;
}

static int potential_rate(const void *self, sb_scalar t, const sb_scalar *q, sb_scalar *Vt) {
    *Vt = 0.0;
    sb_joints_drives_potential(self, t, q, NULL, Vt);
    return SB_OK;
}

static int potential_gradient(const void *self, sb_scalar t, const sb_scalar *q, sb_scalar *Vq) {
    const joints *p = self;
    memset(Vq, 0, (size_t)p->n * sizeof *Vq);
    for (int b = 0; b < p->nbodies; b++) {
        for (int k = 0; k < (p->body[b].planar ? 2 : 3); k++) {
            Vq[p->body[b].at + k] = -p->body[b].rigid.m * p->gravity[k];
        }
    }
    return sb_joints_drives_gradient(p, t, q, Vq);
}

static int potential_hessian(const void *self, sb_scalar t, const sb_scalar *q, sb_scalar c, sb_scalar *Hx) {
    return sb_joints_drives_hessian(self, t, q, c, Hx);
}

/* ---- Forces of drives and torques. ---- */

static int force(const void *self, sb_scalar t, const sb_scalar *q, const sb_scalar *v, sb_scalar *f) {
    const joints *p = self;
    sb_scalar d[4], F[3];
    memset(f, 0, (size_t)p->n * sizeof *f);
    for (const joint_torque *a = p->torque; a < p->torque + p->ntorques; a++) {
        motion_at(&a->size, t, F);
        if (p->body[a->body].planar) {
            f[p->body[a->body].at + PLANAR_PHI] += F[0];
            continue;
        }
        const int at = p->body[a->body].at + BODY_E;
        sb_joints_turning(a->axis, q + at, true, d);
        for (int j = 0; j < 4; j++) {
            f[at + j] += F[0] * d[j];
        }
    }
    return sb_joints_drives_force(p, t, q, v, f);
}

/* The force of a torque is linear in the quaternion. Entry (j, i) of the block of a quaternion has the index 3 + 4 i +
 * j among the entries of its body. */
static int force_jacobian(const void *self, sb_scalar t, const sb_scalar *q, const sb_scalar *v, sb_scalar cq,
                          sb_scalar cv, sb_scalar *Hx) {
    const joints *p = self;
    sb_scalar F[3], d[4], unit[4];
    for (const joint_torque *a = p->torque; a < p->torque + p->ntorques; a++) {
        motion_at(&a->size, t, F);
        for (int i = 0; i < 4 && !p->body[a->body].planar; i++) {
            sb_quaternion_unit(i, unit);
            sb_joints_turning(a->axis, unit, true, d);
            for (int j = 0; j < 4; j++) {
                Hx[p->at_body[a->body][3 + 4 * i + j]] += cq * F[0] * d[j];
            }
        }
    }
    return sb_joints_drives_jacobian(p, t, q, v, cq, cv, Hx);
}

/* ---- Constraints. ---- */

static int constraints(const void *self, sb_scalar t, const sb_scalar *q, sb_scalar *g, sb_scalar *Gx) {
    const joints *p = self;
    joint_row moved;
    sb_scalar d[JOINT_SIZE];
    if (Gx != NULL && p->nsums > 0) {
        memset(Gx + p->G.p[p->nrows], 0, (size_t)(sb_pattern_nnz(&p->G) - p->G.p[p->nrows]) * sizeof *Gx);
    }
    for (int k = 0; k < p->nsums; k++) {
        const sb_scalar value = sb_joint_sum_at(p, p->sum[k], q, Gx);
        if (g != NULL) {
            g[p->nrows + k] = value;
        }
    }
    for (int i = 0; i < p->nrows; i++) {
        const joint_row *r = sb_joint_row_now(&p->row[i], t, &moved);
        const sb_scalar value = sb_joint_row_at(p, r, q, Gx != NULL ? d : NULL, NULL);
        if (g != NULL) {
            g[i] = value;
        }
        for (int j = 0; j < r->count && Gx != NULL; j++) {
            if (r->at_G[j] >= 0) {
                Gx[r->at_G[j]] = d[j];
            }
        }
    }
    return SB_OK;
}

static int constraints_hessian(const void *self, sb_scalar t, const sb_scalar *q, const sb_scalar *w, sb_scalar c,
                               sb_scalar *Hx) {
    const joints *p = self;
    joint_row moved;
    sb_scalar X[JOINT_SIZE][JOINT_SIZE];
    for (int i = 0; i < p->nrows; i++) {
        const joint_row *r = sb_joint_row_now(&p->row[i], t, &moved);
        sb_joint_row_at(p, r, q, NULL, X);
        sb_joint_row_add(r, c * w[i], X, Hx);
    }
    for (int k = 0; k < p->nsums; k++) {
        sb_joint_sum_hessian(p, p->sum[k], q, c * w[p->nrows + k], Hx);
    }
    return SB_OK;
}

/* v' Hess g v + 2 G_t v + g_tt */
static int constraints_curvature(const void *self, sb_scalar t, const sb_scalar *q, const sb_scalar *v,
                                 sb_scalar *out) {
    const joints *p = self;
    joint_row moved;
    sb_scalar d[JOINT_SIZE];
    for (int i = 0; i < p->nrows; i++) {
        const joint_row *r = &p->row[i];
        out[i] = sb_joint_row_curvature(p, sb_joint_row_now(r, t, &moved), q, v);
        if (r->driven != NULL) {
            sb_joint_row_rate(p, r, t, 1, q, d);
            out[i] += 2.0 * sb_joint_along(r, d, v) + sb_joint_row_rate(p, r, t, 2, q, NULL);
        }
    }
    for (int k = 0; k < p->nsums; k++) {
        out[p->nrows + k] = sb_joint_sum_curvature(p, p->sum[k], q, v);
    }
    return SB_OK;
}

static int constraints_rate(const void *self, sb_scalar t, const sb_scalar *q, sb_scalar *out) {
    const joints *p = self;
    for (int i = 0; i < p->nrows; i++) {
        out[i] = p->row[i].driven != NULL ? sb_joint_row_rate(p, &p->row[i], t, 1, q, NULL) : 0.0;
    }
    memset(out + p->nrows, 0, (size_t)p->nsums * sizeof *out);
    return SB_OK;
}

/* ---- The system. ---- */

/* Declares the quaternions whose rows sb_joints_add_quaternions has added. */
static int set_attitudes(sb_arena *arena, const joints *p, sb_system *out) {
    sb_attitude *list;
    SB_NEW(arena, list, p->nbodies);
    out->attitude = list;
    for (int i = 0; i < p->nrows; i++) {
        if (p->row[i].kind == JOINT_UNIT) {
            list[out->attitudes++] = (sb_attitude){p->row[i].coordinate[BODY_E], i};
        }
    }
    return SB_OK;
}

/* Returns the degree of a vector in its body's coordinates: 0, 1, 2, or 3 if it is no polynomial. */
static int vector_degree(const joints *p, const joint_vector *u) {
    const bool arm = u->a[0] != 0.0 || u->a[1] != 0.0 || u->a[2] != 0.0;
    return u->body == JOINTS_GROUND ? 0 : !arm ? 1 : p->body[u->body].planar ? 3 : 2;
}

/* Returns the degree of the constraints; -1 if it is above 2. */
static int constraints_degree(const joints *p) {
    int degree = p->nsums > 0 ? 3 : 0; /* a sum is no polynomial in general */
    for (const joint_row *r = p->row; r < p->row + p->nrows; r++) {
        for (int a = 0; a < r->vectors; a++) {
            int of = r->kind == JOINT_UNIT ? 2 : r->kind == JOINT_TURN ? 1 : vector_degree(p, &r->u[a]);
            for (int b = 0; b < r->vectors; b++) {
                const int product = vector_degree(p, &r->u[a]) + vector_degree(p, &r->u[b]);
                of = r->Q[a][b] != 0.0 && product > of ? product : of;
            }
            degree = of > degree ? of : degree;
        }
    }
    return degree <= 2 ? degree : -1;
}

static int set_rows(sb_arena *arena, const joints *p, sb_system *out) {
    bool moves = false;
    for (int i = 0; i < p->nrows; i++) {
        moves = moves || p->row[i].driven != NULL;
    }
    out->holonomic = (sb_holonomic){.self = p,
                                    .m = p->nrows + p->nsums,
                                    .degree = constraints_degree(p),
                                    .G = p->G,
                                    .value = constraints,
                                    .hessian = constraints_hessian,
                                    .curvature = constraints_curvature,
                                    .rate = moves ? constraints_rate : NULL};
    return set_attitudes(arena, p, out);
}

int sb_joints_finish(sb_arena *arena, joints *p, sb_system *out) {
    bool spatial = false, stiff = false, pushes = p->ntorques > 0, moves = false, falls = false;
    for (int b = 0; b < p->nbodies; b++) {
        spatial = spatial || !p->body[b].planar;
    }
    for (int k = 0; k < p->ndrives; k++) {
        const joint_drive *d = p->drive[k];
        stiff = stiff || d->k != 0.0 || d->k_limit != 0.0;
        pushes = pushes || sb_joint_drive_pushes(d);
        moves = moves || (d->k != 0.0 && motion_moves(&d->target));
    }
    for (int k = 0; k < 3; k++) {
        falls = falls || p->gravity[k] != 0.0;
    }
    SB_TRY(sb_joints_patterns(arena, p));
    out->n = p->n;
    out->H = p->H;
    out->inertia =
        (sb_inertia){p, p->M, mass, spatial ? kinetic_gradient : NULL, spatial ? kinetic_hessian : NULL, NULL};
    if (falls || stiff) {
        out->potential = (sb_potential){.self = p,
                                        .degree = stiff ? -1 : 1,
                                        .value = potential,
                                        .gradient = potential_gradient,
                                        .hessian = stiff ? potential_hessian : NULL,
                                        .rate = moves ? potential_rate : NULL};
    }
    if (pushes) {
        out->force = (sb_force){p, force, force_jacobian};
    }
    SB_TRY(sb_joints_friction(arena, p, out));
    SB_TRY(p->ndrivers > 0 ? sb_joints_drivers(arena, p, out) : SB_OK);
    return p->nrows + p->nsums > 0 ? set_rows(arena, p, out) : SB_OK;
}
