/* Builds mechanisms of rigid bodies: parts, rows of joints, and exact patterns. */
#include "problems/shared/joints.h"
#include "problems/shared/pairs.h"

int sb_joints_new(sb_arena *arena, int bodies, int rows, int springs, int drivers, int forces, joints **out) {
    joints *p;
    SB_NEW(arena, p, 1);
    SB_NEW(arena, p->body, bodies);
    SB_NEW(arena, p->row, rows);
    SB_NEW(arena, p->part, rows);
    SB_NEW(arena, p->spring, springs);
    SB_NEW(arena, p->driver, drivers);
    SB_NEW(arena, p->force, forces);
    *out = p;
    return SB_OK;
}

int sb_joints_add_body(joints *p, joints_body added) {
    added.at = p->n;
    p->body[p->nbodies++] = added;
    p->n += sb_joints_coordinates(p, p->nbodies - 1);
    return p->nbodies - 1;
}

/* ---- Rows. ---- */

void sb_joints_add(joints *p, joint_row row) { p->row[p->nrows++] = row; }

void sb_joints_add_meeting(joints *p, joint_vector first, joint_vector second, int dimension) {
    for (int k = 0; k < dimension; k++) {
        joint_row r = {.vectors = 2, .u = {first, second}};
        r.c[0][k] = -1.0;
        r.c[1][k] = 1.0;
        sb_joints_add(p, r);
    }
}

void sb_joints_add_quaternions(joints *p) {
    for (int b = 0; b < p->nbodies; b++) {
        if (!p->body[b].planar) {
            sb_joints_add(p, (joint_row){.kind = JOINT_UNIT, .vectors = 1, .u = {{.body = b}}});
        }
    }
}

joint_row sb_joints_perpendicular(joint_vector first, joint_vector second) {
    return (joint_row){.vectors = 2, .u = {first, second}, .Q = {{0.0, 1.0, 0.0}, {1.0, 0.0, 0.0}}};
}

joint_row sb_joints_sliding(joint_vector direction, joint_vector first, joint_vector second) {
    return (joint_row){
        .vectors = 3, .u = {direction, first, second}, .Q = {{0.0, -1.0, 1.0}, {-1.0, 0.0, 0.0}, {1.0, 0.0, 0.0}}};
}

joint_row sb_joints_distance(joint_vector first, joint_vector second, sb_scalar length) {
    return (joint_row){.vectors = 2,
                       .u = {first, second},
                       .Q = {{1.0, -1.0, 0.0}, {-1.0, 1.0, 0.0}},
                       .constant = -0.5 * length * length};
}

joint_row sb_joints_coordinate(int of, int component, sb_scalar value) {
    return (joint_row){
        .kind = JOINT_COORDINATE, .vectors = 1, .u = {{.body = of}}, .component = component, .constant = -value};
}

joint_row sb_joints_driven(joint_row row, const driven *d) {
    for (int k = 0; k < 3 && d->kind == DRIVEN_ANGLE; k++) {
        row.u[0].a[k] = fabs(d->e1[k]) + fabs(d->e2[k]);
    }
    row.driven = d;
    return row;
}

/* ---- Patterns. ---- */

/* Lists the coordinates of a row's bodies. */
static void joint_row_coordinates(const joints *p, joint_row *r) {
    r->count = 0;
    for (int a = 0; a < r->vectors; a++) {
        const int b = r->u[a].body, coordinates = sb_joints_coordinates(p, b);
        bool known = false;
        for (int e = 0; e < a && !known; e++) {
            known = r->u[e].body == b;
            r->from[a] = r->from[e];
        }
        if (!known) {
            r->from[a] = r->count;
            for (int j = 0; j < coordinates; j++) {
                r->coordinate[r->count++] = p->body[b].at + j;
            }
        }
    }
}

/* Returns whether component k of a vector depends on coordinate j of its body. */
static bool joint_depends(const joints *p, const joint_vector *u, int k, int j) {
    if (u->body == JOINTS_GROUND) {
        return false;
    }
    const bool planar = p->body[u->body].planar, arm = u->a[0] != 0.0 || u->a[1] != 0.0 || u->a[2] != 0.0;
    if (planar && k == 2) {
        return false;
    }
    return j < (planar ? 2 : 3) ? u->point && j == k : arm;
}

/* Returns whether component k of a vector can be nonzero. */
static bool joint_extends(const joints *p, const joint_vector *u, int k) {
    return u->body == JOINTS_GROUND ? u->a[k] != 0.0 : !(p->body[u->body].planar && k == 2);
}

/* Marks the entries of at_G and at_H that can be nonzero by 0 and the others by -1. `outer` adds the entries of the
 * outer product of the gradient, for a nonlinear function of the row. */
static void joint_row_marks(const joints *p, joint_row *r, bool outer) {
    memset(r->at_G, -1, sizeof r->at_G);
    memset(r->at_H, -1, sizeof r->at_H);
    for (int j = BODY_E; j < BODY_COORDINATES && r->kind == JOINT_UNIT; j++) {
        r->at_G[j] = r->at_H[j][j] = 0;
    }
    if (r->kind == JOINT_COORDINATE) {
        r->at_G[r->component] = 0;
    }
    for (int a = 0; a < r->vectors && r->kind == JOINT_FORM; a++) {
        const int rigid = sb_joints_coordinates(p, r->u[a].body) == PLANAR_COORDINATES ? PLANAR_PHI : BODY_E;
        for (int k = 0; k < 3; k++) {
            bool slope = r->c[a][k] != 0.0;
            for (int b = 0; b < r->vectors; b++) {
                slope = slope || (r->Q[a][b] != 0.0 && joint_extends(p, &r->u[b], k));
            }
            for (int i = 0; i < sb_joints_coordinates(p, r->u[a].body); i++) {
                if (!joint_depends(p, &r->u[a], k, i)) {
                    continue;
                }
                if (slope) {
                    r->at_G[r->from[a] + i] = 0;
                }
                for (int j = rigid; j < sb_joints_coordinates(p, r->u[a].body) && slope && i >= rigid; j++) {
                    r->at_H[r->from[a] + i][r->from[a] + j] = 0;
                }
                for (int b = 0; b < r->vectors; b++) {
                    for (int j = 0; j < sb_joints_coordinates(p, r->u[b].body) && r->Q[a][b] != 0.0; j++) {
                        if (joint_depends(p, &r->u[b], k, j)) {
                            r->at_H[r->from[a] + i][r->from[b] + j] = 0;
                        }
                    }
                }
            }
        }
    }
    for (int k = 0; k < JOINT_SIZE * JOINT_SIZE && outer; k++) {
        if (r->at_G[k % JOINT_SIZE] == 0 && r->at_G[k / JOINT_SIZE] == 0) {
            r->at_H[k % JOINT_SIZE][k / JOINT_SIZE] = 0;
        }
    }
}

/* Returns row k of all that have second derivatives: constraints, springs, forces. A torque has no vectors. */
static joint_row *joints_function(joints *p, int k) {
    const int spring = k - p->nrows, force = spring - p->nsprings;
    return k < p->nrows ? &p->row[k] : force < 0 ? &p->spring[spring].row : &p->force[force].row;
}

/* Adds a body's entries of M: in the plane a diagonal; in space the diagonal of the centre and a full block. */
static void joints_add_mass(pairs *M, const joints_body *b) {
    const int diagonal = 3, at = b->at;
    for (int k = 0; k < diagonal; k++) {
        pairs_add(M, at + k, at + k);
    }
    if (!b->planar) {
        pairs_add_block(M, at + BODY_E, at + BODY_E, 4, 4);
    }
}

static int joints_pattern_G(sb_arena *arena, joints *p) {
    pairs entries;
    SB_TRY(pairs_new(arena, JOINT_SIZE * p->nrows, &entries));
    for (int i = 0; i < p->nrows; i++) {
        for (int j = 0; j < p->row[i].count; j++) {
            if (p->row[i].at_G[j] >= 0) {
                pairs_add(&entries, p->row[i].coordinate[j], i);
            }
        }
    }
    SB_TRY(pairs_pattern(arena, &entries, p->n, p->nrows, &p->G));
    for (int i = 0; i < p->nrows; i++) {
        for (int j = 0; j < p->row[i].count; j++) {
            joint_row *r = &p->row[i];
            r->at_G[j] = r->at_G[j] >= 0 ? sb_pattern_find(&p->G, r->coordinate[j], i) : -1;
        }
    }
    return SB_OK;
}

int sb_joints_patterns(sb_arena *arena, joints *p) {
    const int functions = p->nrows + p->nsprings + p->nforces;
    pairs H;
    SB_TRY(pairs_new(arena, BODY_NNZ * p->nbodies + JOINT_SIZE * JOINT_SIZE * functions, &H));
    SB_NEW(arena, p->at_body, p->nbodies);
    SB_NEW(arena, p->at_M, p->nbodies);
    for (int b = 0; b < p->nbodies; b++) {
        p->at_M[b] = H.count;
        joints_add_mass(&H, &p->body[b]);
    }
    SB_TRY(pairs_pattern(arena, &H, p->n, p->n, &p->M));
    for (int i = 0; i < functions; i++) {
        joint_row *r = joints_function(p, i);
        SB_TRY(sb_poll(arena->ctx));
        joint_row_coordinates(p, r);
        joint_row_marks(p, r, i >= p->nrows && i < p->nrows + p->nsprings);
        for (int k = 0; k < r->count * r->count; k++) {
            if (r->at_H[k / r->count][k % r->count] >= 0) {
                pairs_add(&H, r->coordinate[k / r->count], r->coordinate[k % r->count]);
            }
        }
    }
    SB_TRY(pairs_pattern(arena, &H, p->n, p->n, &p->H));
    for (int i = 0; i < functions; i++) {
        joint_row *r = joints_function(p, i);
        for (int k = 0; k < r->count * r->count; k++) {
            int *at = &r->at_H[k / r->count][k % r->count];
            *at = *at >= 0 ? sb_pattern_find(&p->H, r->coordinate[k / r->count], r->coordinate[k % r->count]) : -1;
        }
    }
    for (int b = 0; b < p->nbodies; b++) {
        for (int k = 0; k < BODY_NNZ && !p->body[b].planar; k++) {
            p->at_body[b][k] = sb_pattern_find(&p->H, H.row[p->at_M[b] + k], H.col[p->at_M[b] + k]);
        }
    }
    return joints_pattern_G(arena, p);
}
