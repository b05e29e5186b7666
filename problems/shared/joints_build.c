/* Rows of joints, exact patterns, and the system of a mechanism. */
#include "problems/shared/joints_build.h"

int joints_new(sb_arena *arena, int bodies, int rows, int springs, int applied, joints **out) {
    SB_NEW(arena, *out, 1);
    SB_NEW(arena, (*out)->body, bodies);
    SB_NEW(arena, (*out)->row, rows);
    SB_NEW(arena, (*out)->spring, springs);
    SB_NEW(arena, (*out)->applied, applied);
    return SB_OK;
}

int joints_add_body(joints *p, joints_body added) {
    added.at = p->n;
    p->body[p->nbodies++] = added;
    p->n += joints_coordinates(p, p->nbodies - 1);
    return p->nbodies - 1;
}

void joints_add_meeting(joints *p, joint_vector first, joint_vector second, int dimension) {
    for (int k = 0; k < dimension; k++) {
        joint_row *r = &p->row[p->nrows++];
        *r = (joint_row){.vectors = 2, .u = {first, second}};
        r->c[0][k] = -1.0;
        r->c[1][k] = 1.0;
    }
}

joint_row joints_perpendicular(joint_vector first, joint_vector second) {
    return (joint_row){.vectors = 2, .u = {first, second}, .Q = {{0.0, 1.0, 0.0}, {1.0, 0.0, 0.0}}};
}

void joints_add_perpendicular(joints *p, joint_vector first, joint_vector second) {
    p->row[p->nrows++] = joints_perpendicular(first, second);
}

joint_row joints_sliding(joint_vector direction, joint_vector first, joint_vector second) {
    return (joint_row){
        .vectors = 3, .u = {direction, first, second}, .Q = {{0.0, -1.0, 1.0}, {-1.0, 0.0, 0.0}, {1.0, 0.0, 0.0}}};
}

void joints_add_sliding(joints *p, joint_vector direction, joint_vector first, joint_vector second) {
    p->row[p->nrows++] = joints_sliding(direction, first, second);
}

joint_row joints_distance(joint_vector first, joint_vector second, sb_scalar length) {
    return (joint_row){.vectors = 2,
                       .u = {first, second},
                       .Q = {{1.0, -1.0, 0.0}, {-1.0, 1.0, 0.0}},
                       .constant = -0.5 * length * length};
}

void joints_add_quaternions(joints *p) {
    for (int b = 0; b < p->nbodies; b++) {
        if (!p->body[b].planar) {
            p->row[p->nrows++] = (joint_row){.kind = JOINT_UNIT, .vectors = 1, .u = {{.body = b}}, .constant = -0.5};
        }
    }
}

/* ---- Patterns. ---- */

/* Lists the coordinates of a row's bodies. */
static void joint_row_coordinates(const joints *p, joint_row *r) {
    r->count = 0;
    for (int a = 0; a < r->vectors; a++) {
        const int b = r->u[a].body, coordinates = joints_coordinates(p, b);
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

/* Return whether component k of a vector depends on coordinate j of its body, and whether it can be nonzero. */
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

static bool joint_extends(const joints *p, const joint_vector *u, int k) {
    return u->body == JOINTS_GROUND ? u->a[k] != 0.0 : !(p->body[u->body].planar && k == 2);
}

/* Marks the entries of at_G and at_H that can be nonzero by 0, the others by -1. */
static void joint_row_marks(const joints *p, joint_row *r, bool outer) {
    memset(r->at_G, -1, sizeof r->at_G);
    memset(r->at_H, -1, sizeof r->at_H);
    for (int j = BODY_E; j < BODY_COORDINATES && r->kind == JOINT_UNIT; j++) {
        r->at_G[j] = r->at_H[j][j] = 0;
    }
    for (int a = 0; a < r->vectors && r->kind == JOINT_FORM; a++) {
        const int rigid = joints_coordinates(p, r->u[a].body) == PLANAR_COORDINATES ? PLANAR_PHI : BODY_E;
        for (int k = 0; k < 3; k++) {
            bool slope = r->c[a][k] != 0.0;
            for (int b = 0; b < r->vectors; b++) {
                slope = slope || (r->Q[a][b] != 0.0 && joint_extends(p, &r->u[b], k));
            }
            for (int i = 0; i < joints_coordinates(p, r->u[a].body); i++) {
                if (!joint_depends(p, &r->u[a], k, i)) {
                    continue;
                }
                if (slope) {
                    r->at_G[r->from[a] + i] = 0;
                }
                for (int j = rigid; j < joints_coordinates(p, r->u[a].body) && slope && i >= rigid; j++) {
                    r->at_H[r->from[a] + i][r->from[a] + j] = 0;
                }
                for (int b = 0; b < r->vectors; b++) {
                    for (int j = 0; j < joints_coordinates(p, r->u[b].body) && r->Q[a][b] != 0.0; j++) {
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

typedef struct joints_pairs {
    int *row, *col, end;
} joints_pairs;

static void joints_pair(joints_pairs *to, int row, int col) {
    to->row[to->end] = row;
    to->col[to->end++] = col;
}

static void joint_row_pairs(const joint_row *r, joints_pairs *H) {
    for (int i = 0; i < r->count; i++) {
        for (int j = 0; j < r->count; j++) {
            if (r->at_H[i][j] >= 0) {
                joints_pair(H, r->coordinate[i], r->coordinate[j]);
            }
        }
    }
}

static void joint_row_places(joint_row *r, const sb_pattern *H) {
    for (int i = 0; i < r->count; i++) {
        for (int j = 0; j < r->count; j++) {
            if (r->at_H[i][j] >= 0) {
                r->at_H[i][j] = sb_pattern_find(H, r->coordinate[i], r->coordinate[j]);
            }
        }
    }
}

/* Row and column of entry k of a spatial body's block, as in bodies_pattern. */
static int joints_block_row(int k) { return k < 3 ? k : BODY_E + (k - 3) % 4; }

static int joints_block_col(int k) { return k < 3 ? k : BODY_E + (k - 3) / 4; }

/* Row k of all that have second derivatives: constraints, springs, applied forces. */
static joint_row *joints_function(joints *p, int k) {
    const int spring = k - p->nrows, applied = spring - p->nsprings;
    return k < p->nrows ? &p->row[k] : applied < 0 ? &p->spring[spring].row : &p->applied[applied];
}

static int joints_patterns(sb_arena *arena, joints *p, sb_pattern *M, sb_pattern *G) {
    const int functions = p->nrows + p->nsprings + p->napplied,
              most = BODY_NNZ * p->nbodies + JOINT_SIZE * JOINT_SIZE * functions;
    joints_pairs H = {.end = 0};
    SB_NEW(arena, H.row, most);
    SB_NEW(arena, H.col, most);
    SB_NEW(arena, p->at_body, p->nbodies);
    SB_NEW(arena, p->at_M, p->nbodies);
    for (int b = 0; b < p->nbodies; b++) {
        p->at_M[b] = H.end;
        for (int k = 0; k < (p->body[b].planar ? PLANAR_COORDINATES : BODY_NNZ); k++) {
            joints_pair(&H, p->body[b].at + (p->body[b].planar ? k : joints_block_row(k)),
                        p->body[b].at + (p->body[b].planar ? k : joints_block_col(k)));
        }
    }
    SB_TRY(sb_pattern_from_pairs(arena, p->n, p->n, H.end, H.row, H.col, M));
    for (int i = 0; i < functions; i++) {
        joint_row *r = joints_function(p, i);
        joint_row_coordinates(p, r);
        joint_row_marks(p, r, i >= p->nrows && i < p->nrows + p->nsprings);
        joint_row_pairs(r, &H);
    }
    SB_TRY(sb_pattern_from_pairs(arena, p->n, p->n, H.end, H.row, H.col, &p->H));
    for (int i = 0; i < functions; i++) {
        joint_row_places(joints_function(p, i), &p->H);
    }
    for (int b = 0; b < p->nbodies; b++) {
        for (int k = 0; k < BODY_NNZ && !p->body[b].planar; k++) {
            p->at_body[b][k] =
                sb_pattern_find(&p->H, p->body[b].at + joints_block_row(k), p->body[b].at + joints_block_col(k));
        }
    }
    joints_pairs pairs = {H.row, H.col, 0};
    for (int i = 0; i < p->nrows; i++) {
        for (int j = 0; j < p->row[i].count; j++) {
            if (p->row[i].at_G[j] >= 0) {
                joints_pair(&pairs, p->row[i].coordinate[j], i);
            }
        }
    }
    SB_TRY(sb_pattern_from_pairs(arena, p->n, p->nrows, pairs.end, pairs.row, pairs.col, G));
    for (int i = 0; i < p->nrows; i++) {
        for (int j = 0; j < p->row[i].count; j++) {
            p->row[i].at_G[j] = p->row[i].at_G[j] >= 0 ? sb_pattern_find(G, p->row[i].coordinate[j], i) : -1;
        }
    }
    return SB_OK;
}

/* Returns the degree of a vector in its body's coordinates: 0, 1, 2, or 3 for no polynomial. */
static int joint_vector_degree(const joints *p, const joint_vector *u) {
    const bool arm = u->a[0] != 0.0 || u->a[1] != 0.0 || u->a[2] != 0.0;
    return u->body == JOINTS_GROUND ? 0 : !arm ? 1 : p->body[u->body].planar ? 3 : 2;
}

/* Returns the degree of the constraints; -1 if it is above 2. */
static int joints_degree(const joints *p) {
    int degree = 0;
    for (const joint_row *r = p->row; r < p->row + p->nrows; r++) {
        for (int a = 0; a < r->vectors; a++) {
            int of = r->kind == JOINT_UNIT ? 2 : joint_vector_degree(p, &r->u[a]);
            for (int b = 0; b < r->vectors; b++) {
                const int product = joint_vector_degree(p, &r->u[a]) + joint_vector_degree(p, &r->u[b]);
                of = r->Q[a][b] != 0.0 && product > of ? product : of;
            }
            degree = of > degree ? of : degree;
        }
    }
    return degree <= 2 ? degree : -1;
}

/* Declares the quaternions whose rows joints_add_quaternions has added. */
static int joints_attitudes(sb_arena *arena, const joints *p, sb_system *out) {
    sb_attitude *list;
    SB_NEW(arena, list, p->nbodies);
    out->attitudes = 0;
    out->attitude = list;
    for (int i = 0; i < p->nrows; i++) {
        if (p->row[i].kind == JOINT_UNIT) {
            list[out->attitudes++] = (sb_attitude){p->row[i].coordinate[BODY_E], i};
        }
    }
    return SB_OK;
}

int joints_finish(sb_arena *arena, joints *p, sb_system *out) {
    sb_pattern M, G;
    SB_TRY(joints_patterns(arena, p, &M, &G));
    joints_set_terms(p, M, G, joints_degree(p), out);
    return p->nrows == 0 ? SB_OK : joints_attitudes(arena, p, out);
}
