/* Bodies of a mechanism that lack a mass or a moment of inertia: whether the joints determine their motion. */
#include <stepbench/numerics/norm.h>

#include "problems/shared/mechanism_file.h"

/* A direction z of the coordinates without inertia, M z = 0: of one body. */
typedef struct massless {
    int body, first, count; /* its coordinates */
    sb_scalar z[4];
    const char *lacks; /* what the body lacks, for a message */
} massless;

/* Returns the number of directions without inertia at q, and sets them unless `out` is NULL. In space the rotation
 * about the body's axis k is (e (0, unit k)), and the length of the quaternion has the mean of the moments. */
static int find_directions(const joints *p, const sb_scalar *q, massless *out) {
    static const char *const moves[] = {"mass, and no joint determines its motion along x",
                                        "mass, and no joint determines its motion along y",
                                        "mass, and no joint determines its motion along z"},
                             *const turns[] = {
                                 "moment of inertia about its first axis, and no joint determines this rotation",
                                 "moment of inertia about its second axis, and no joint determines this rotation",
                                 "moment of inertia about its third axis, and no joint determines this rotation"};
    int count = 0;
    for (int b = 0; b < p->nbodies; b++) {
        const joints_body *of = &p->body[b];
        const int dimension = of->planar ? 2 : 3, axes = of->planar ? 1 : 3;
        for (int k = 0; k < dimension + axes; k++) {
            const bool moving = k < dimension;
            const int axis = k - dimension;
            if ((moving ? of->rigid.m : of->rigid.J[of->planar ? 0 : 1 + axis]) != 0.0) {
                continue;
            }
            if (out != NULL) {
                massless *z = &out[count];
                *z = (massless){b, of->at + (moving ? k : dimension), moving || of->planar ? 1 : 4, {1.0}, NULL};
                z->lacks = moving       ? moves[k]
                           : of->planar ? "moment of inertia, and no joint determines its angle"
                                        : turns[axis];
                if (z->count == 4) {
                    sb_scalar unit[4];
                    sb_quaternion_unit(1 + axis, unit);
                    sb_quaternion_product(q + of->at + BODY_E, unit, z->z);
                }
            }
            count++;
        }
    }
    return count;
}

/* Sets the derivative of every row along a direction: of the constraints, and of what has an armature. */
static void set_rates(const joints *p, const sb_system *sys, const sb_scalar *Gx, const sb_scalar *Ax,
                      const sb_scalar *q, const massless *z, sb_scalar *out) {
    const sb_pattern *const pattern[] = {&sys->holonomic.G, &sys->nonholonomic.A};
    const sb_scalar *const value[] = {Gx, Ax};
    const int rows[] = {sys->holonomic.m, sys->nonholonomic.m};
    sb_scalar slope[JOINT_SIZE];
    for (int s = 0; s < 2; s++) {
        for (int j = 0; j < rows[s]; j++) {
            sb_scalar sum = 0.0;
            for (int k = pattern[s]->p[j]; k < pattern[s]->p[j + 1]; k++) {
                const int i = pattern[s]->i[k] - z->first;
                sum += i >= 0 && i < z->count ? value[s][k] * z->z[i] : 0.0;
            }
            *out++ = sum;
        }
    }
    for (int d = 0; d < p->ndrives; d++) {
        const joint_row *r = &p->drive[d]->y.row[0];
        sb_scalar sum = 0.0;
        sb_joint_measure_at(p, &p->drive[d]->y, q, slope, NULL);
        for (int j = 0; j < r->count; j++) {
            const int i = r->coordinate[j] - z->first;
            sum += i >= 0 && i < z->count && p->drive[d]->armature != 0.0 ? slope[j] * z->z[i] : 0.0;
        }
        *out++ = sum;
    }
}

/* Makes a column perpendicular to `count` orthonormal ones, twice against round-off; returns the share that is left. */
static sb_scalar orthogonalize(int n, int count, const sb_scalar *basis, sb_scalar *x) {
    const sb_scalar before = sqrt(sb_dot(n, x, x));
    for (int k = 0; k < 2 * count; k++) {
        const sb_scalar *b = basis + (size_t)(k % count) * (size_t)n;
        sb_axpy(n, -sb_dot(n, b, x), b, x);
    }
    const sb_scalar after = sqrt(sb_dot(n, x, x));
    for (int i = 0; i < n; i++) {
        x[i] /= after > 0.0 ? after : 1.0;
    }
    return before > 0.0 ? after / before : 0.0;
}

/* A direction is determined if no combination with the others leaves all rows at rest: the rates are independent. Files
 * have ten digits and more. */
static int check_directions(const node *root, const mechanism *p, const sb_system *sys, int count, massless *list) {
    static const sb_scalar given_digits = 1e-9;
    const joints *j = p->joints;
    const int n = sb_system_bilateral(sys) + j->ndrives;
    sb_scalar *Gx, *Ax, *rates;
    SB_SCRATCH(scratch, root->from->ctx);
    SB_NEW(&scratch, Gx, sb_pattern_nnz(&sys->holonomic.G));
    SB_NEW(&scratch, Ax, sb_pattern_nnz(&sys->nonholonomic.A));
    SB_NEW(&scratch, rates, (size_t)count * (size_t)n);
    SB_TRY(sys->holonomic.m > 0 ? sys->holonomic.value(sys->holonomic.self, 0.0, p->q0, NULL, Gx) : SB_OK);
    SB_TRY(sys->nonholonomic.m > 0 ? sys->nonholonomic.value(sys->nonholonomic.self, 0.0, p->q0, Ax, NULL) : SB_OK);
    for (int k = 0; k < count; k++) {
        const massless *z = &list[k];
        sb_scalar *x = rates + (size_t)k * (size_t)n;
        SB_TRY(sb_poll(root->from->ctx));
        set_rates(j, sys, Gx, Ax, p->q0, z, x);
        if (!(orthogonalize(n, k, rates, x) > given_digits)) {
            return NODE_FAIL(root, "the body %s has no %s; give it one above 0, or another joint", p->names[z->body],
                             z->lacks);
        }
    }
    return SB_OK;
}

int sb_mechanism_check_massless(const node *root, const mechanism *p, sb_system *sys) {
    const int count = find_directions(p->joints, p->q0, NULL);
    massless *list;
    if (count == 0) {
        return SB_OK;
    }
    SB_NEW(root->from->arena, list, count);
    find_directions(p->joints, p->q0, list);
    sys->flags |= (unsigned)SB_HAS_SINGULAR_MASS;
    return check_directions(root, p, sys, count, list);
}
