/* Builds mechanisms of rigid bodies: parts, rows of joints, and exact patterns. */
#include "problems/shared/joints.h"
#include "problems/shared/pairs.h"

int sb_joints_new(sb_arena *arena, int bodies, int rows, int drives, int drivers, int torques, joints **out) {
    joints *p;
    SB_NEW(arena, p, 1);
    SB_NEW(arena, p->body, bodies);
    SB_NEW(arena, p->row, rows);
    SB_NEW(arena, p->part, rows + drives);
    SB_NEW(arena, p->sum, rows);
    SB_NEW(arena, p->drive, drives);
    SB_NEW(arena, p->driver, drivers);
    SB_NEW(arena, p->torque, torques);
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

void sb_joints_across(const joint_vector *axis, joint_vector out[2]) {
    const sb_scalar *a = axis->a;
    const int least = fabs(a[0]) <= fabs(a[1]) && fabs(a[0]) <= fabs(a[2]) ? 0 : fabs(a[1]) <= fabs(a[2]) ? 1 : 2;
    const int i = (least + 1) % 3, j = (least + 2) % 3;
    const sb_scalar length = sqrt(a[i] * a[i] + a[j] * a[j]);
    out[0] = out[1] = (joint_vector){.body = axis->body};
    out[0].a[i] = -a[j] / length;
    out[0].a[j] = a[i] / length;
    for (int k = 0; k < 3; k++) {
        const int l = (k + 1) % 3, m = (k + 2) % 3;
        out[1].a[k] = a[l] * out[0].a[m] - a[m] * out[0].a[l];
    }
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

void sb_joint_row_layout(const joints *p, joint_row *r) {
    joint_row_coordinates(p, r);
    memset(r->at_G, -1, sizeof r->at_G);
    memset(r->at_H, -1, sizeof r->at_H);
    for (int j = BODY_E; j < BODY_COORDINATES && r->kind == JOINT_UNIT; j++) {
        r->at_G[j] = r->at_H[j][j] = 0;
    }
    if (r->kind == JOINT_COORDINATE) {
        r->at_G[r->component] = 0;
    }
    for (int s = 0; s < 2 && r->kind == JOINT_TURN; s++) {
        if (r->u[s].body != JOINTS_GROUND) {
            r->at_G[r->from[s] + PLANAR_PHI] = 0;
        }
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
}

/* Returns measure k of all: of drives, then of sums. */
static joint_measure *joints_measure(joints *p, int k) {
    return k < p->ndrives ? &p->drive[k]->y : &p->sum[(k - p->ndrives) / 2]->y[(k - p->ndrives) % 2];
}

/* Marks the entries of M that an armature can have, those of coordinates whose rates are in y', by 0. */
static void armature_marks(joint_drive *d) {
    const joint_row *r = &d->y.row[0];
    memset(d->at_M, -1, sizeof d->at_M);
    for (int k = 0; k < r->count * r->count && d->armature != 0.0; k++) {
        const int i = k / r->count, j = k % r->count;
        if (r->at_G[i] == 0 && r->at_G[j] == 0) {
            d->at_M[i][j] = 0;
        }
    }
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

/* Adds the marked entries of a gradient, in column i of G, or finds their positions. */
static void gradient_entries(joint_row *r, int i, pairs *add, const sb_pattern *find) {
    for (int j = 0; j < r->count; j++) {
        if (r->at_G[j] >= 0 && add != NULL) {
            pairs_add(add, r->coordinate[j], i);
        } else if (r->at_G[j] >= 0) {
            r->at_G[j] = sb_pattern_find(find, r->coordinate[j], i);
        }
    }
}

static int joints_pattern_G(sb_arena *arena, joints *p) {
    const int m = p->nrows + p->nsums;
    pairs entries;
    SB_TRY(pairs_new(arena, JOINT_SIZE * (p->nrows + 2 * p->nsums), &entries));
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < p->nrows; i++) {
            gradient_entries(&p->row[i], i, pass == 0 ? &entries : NULL, &p->G);
        }
        for (int k = 0; k < 2 * p->nsums; k++) {
            gradient_entries(&p->sum[k / 2]->y[k % 2].row[0], p->nrows + k / 2, pass == 0 ? &entries : NULL, &p->G);
        }
        SB_TRY(pass == 0 ? pairs_pattern(arena, &entries, p->n, m, &p->G) : SB_OK);
    }
    return SB_OK;
}

void sb_joint_measure_layout(const joints *p, joint_measure *y) {
    for (int k = 0; k < 2; k++) {
        sb_joint_row_layout(p, &y->row[k]);
    }
    joint_row *r = &y->row[0];
    for (int i = 0; i < JOINT_SIZE; i++) {
        r->at_G[i] = r->at_G[i] == 0 || (y->kind == MEASURE_ANGLE && y->row[1].at_G[i] == 0) ? 0 : -1;
    }
    for (int k = 0; k < JOINT_SIZE * JOINT_SIZE; k++) {
        if (r->at_G[k % JOINT_SIZE] == 0 && r->at_G[k / JOINT_SIZE] == 0) {
            r->at_H[k % JOINT_SIZE][k / JOINT_SIZE] = 0; /* y is no linear function of the row */
        }
    }
}

/* Adds the marked entries of a row, or finds their positions. */
static void joint_entries(const joint_row *r, int at[JOINT_SIZE][JOINT_SIZE], pairs *add, const sb_pattern *find) {
    for (int k = 0; k < r->count * r->count; k++) {
        const int i = r->coordinate[k / r->count], j = r->coordinate[k % r->count];
        int *here = &at[k / r->count][k % r->count];
        if (*here >= 0 && add != NULL) {
            pairs_add(add, i, j);
        } else if (*here >= 0) {
            *here = sb_pattern_find(find, i, j);
        }
    }
}

int sb_joints_patterns(sb_arena *arena, joints *p) {
    const int measures = p->ndrives + 2 * p->nsums;
    pairs H, M;
    SB_TRY(pairs_new(arena, BODY_NNZ * p->nbodies + JOINT_SIZE * JOINT_SIZE * (p->nrows + measures + p->ndrives), &H));
    SB_TRY(pairs_new(arena, BODY_NNZ * p->nbodies + JOINT_SIZE * JOINT_SIZE * p->ndrives, &M));
    SB_NEW(arena, p->at_body, p->nbodies);
    SB_NEW(arena, p->at_M, p->nbodies);
    for (int b = 0; b < p->nbodies; b++) {
        joints_add_mass(&M, &p->body[b]);
    }
    for (int i = 0; i < p->nrows; i++) {
        SB_TRY(sb_poll(arena->ctx));
        sb_joint_row_layout(p, &p->row[i]);
        joint_entries(&p->row[i], p->row[i].at_H, &H, NULL);
    }
    for (int k = 0; k < measures; k++) {
        joint_measure *y = joints_measure(p, k);
        sb_joint_measure_layout(p, y);
        joint_entries(&y->row[0], y->row[0].at_H, &H, NULL);
        if (k < p->ndrives) {
            armature_marks(p->drive[k]);
            joint_entries(&y->row[0], p->drive[k]->at_M, &M, NULL);
        }
    }
    for (int k = 0; k < M.count; k++) {
        pairs_add(&H, M.row[k], M.col[k]);
    }
    SB_TRY(pairs_pattern(arena, &M, p->n, p->n, &p->M));
    SB_TRY(pairs_pattern(arena, &H, p->n, p->n, &p->H));
    for (int i = 0; i < p->nrows; i++) {
        joint_entries(&p->row[i], p->row[i].at_H, NULL, &p->H);
    }
    for (int k = 0; k < measures; k++) {
        joint_row *r = &joints_measure(p, k)->row[0];
        joint_entries(r, r->at_H, NULL, &p->H);
        if (k < p->ndrives) {
            joint_entries(r, p->drive[k]->at_M, NULL, &p->M);
        }
    }
    for (int b = 0, k = 0; b < p->nbodies; b++) {
        for (int j = 0; j < (p->body[b].planar ? PLANAR_COORDINATES : BODY_NNZ); j++, k++) {
            p->at_M[b][j] = sb_pattern_find(&p->M, M.row[k], M.col[k]);
            p->at_body[b][j] = sb_pattern_find(&p->H, M.row[k], M.col[k]);
        }
    }
    return joints_pattern_G(arena, p);
}
