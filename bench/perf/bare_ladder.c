/* Hand-coded elimination body by body for the ladder of spook07 6: spook07 (29) with the Schur complement (30) in 2 x 2
 * blocks; the row of a rod's length is eliminated first.
 *
 * Square k has a foot rail f, a head rail t and a rung r, and four joints: F (tail of f), T (tail of t), R (tail of r
 * on f's head) and C (heads of t and r). F' and T' of the next square hang on the heads of f and r, so that F and T are
 * all a square passes on to the next. A rod contributes P = 4/m - kappa u u' between joints at the same end and Q =
 * -2/m + kappa u u' between joints at opposite ends, with the product of the joints' signs. */
#include "bench/perf/bare_ladder.h"

typedef struct block {
    double xx, xy, yx, yy;
} block;

typedef struct symmetric {
    double xx, xy, yy;
} symmetric;

typedef struct vector {
    double x, y;
} vector;

/* Rows of L' and D^-1 y of the four joints, for the back substitution. */
typedef struct sb_bare_square {
    symmetric D_f, D_t, D_r, D_c; /* inverses of the pivots */
    block F_T, F_R, T_R, T_C, R_C, R_F, R_T, C_F, C_T;
    vector F, T, R, C; /* D^-1 times the right-hand side; then the multipliers */
} sb_bare_square;

/* Contribution of a rod, and the row of its length: pivot 1/d, right-hand side w. */
typedef struct rod {
    symmetric P, Q;
    vector u;
    double d, w;
} rod;

/* Blocks and right-hand sides that F and T of a square receive from the squares before it. */
typedef struct incoming {
    symmetric FF, TT;
    block FT;
    vector F, T;
} incoming;

typedef struct constants {
    double sigma, violation, drag, four, two, cross,
        spin;    /* Sigma; -4 Upsilon/h; Upsilon - 1; 4/m; 2/m; 6/(m l); 12/(m l^2) */
    double half; /* l/2 */
} constants;

static inline symmetric sum(symmetric a, symmetric b) { return (symmetric){a.xx + b.xx, a.xy + b.xy, a.yy + b.yy}; }

static inline symmetric plus(symmetric a, double c) { return (symmetric){a.xx + c, a.xy, a.yy + c}; }

static inline block full(symmetric a) { return (block){a.xx, a.xy, a.xy, a.yy}; }

static inline block negative(block a) { return (block){-a.xx, -a.xy, -a.yx, -a.yy}; }

static inline block transposed(block a) { return (block){a.xx, a.yx, a.xy, a.yy}; }

/* Return a - b' c; minus_symmetric for a symmetric result. */
static inline block minus(block a, block b, block c) {
    return (block){a.xx - (b.xx * c.xx + b.yx * c.yx), a.xy - (b.xx * c.xy + b.yx * c.yy),
                   a.yx - (b.xy * c.xx + b.yy * c.yx), a.yy - (b.xy * c.xy + b.yy * c.yy)};
}

static inline symmetric minus_symmetric(symmetric a, block b, block c) {
    return (symmetric){a.xx - (b.xx * c.xx + b.yx * c.yx), a.xy - (b.xx * c.xy + b.yx * c.yy),
                       a.yy - (b.xy * c.xy + b.yy * c.yy)};
}

static inline vector minus_vector(vector a, block b, vector c) {
    return (vector){a.x - (b.xx * c.x + b.yx * c.y), a.y - (b.xy * c.x + b.yy * c.y)};
}

static inline block times(symmetric a, block b) {
    return (block){a.xx * b.xx + a.xy * b.yx, a.xx * b.xy + a.xy * b.yy, a.xy * b.xx + a.yy * b.yx,
                   a.xy * b.xy + a.yy * b.yy};
}

static inline vector times_vector(symmetric a, vector b) {
    return (vector){a.xx * b.x + a.xy * b.y, a.xy * b.x + a.yy * b.y};
}

/* Returns a - B b. */
static inline vector less(vector a, block B, vector b) {
    return (vector){a.x - (B.xx * b.x + B.xy * b.y), a.y - (B.yx * b.x + B.yy * b.y)};
}

/* Returns the inverse; sets *status if a pivot is not positive. */
static inline symmetric inverse(symmetric a, int *status) {
    const double determinant = a.xx * a.yy - a.xy * a.xy, scale = 1.0 / determinant;
    if (!(a.xx > 0.0 && determinant > 0.0)) {
        *status = SB_SINGULAR;
    }
    return (symmetric){a.yy * scale, -a.xy * scale, a.xx * scale};
}

/* Computes the blocks of a rod from its direction u and the rate v of u. */
static inline rod rod_of(const constants *c, const double *u, const double *v) {
    rod r = {.u = {u[0], u[1]}};
    const double square = u[0] * u[0] + u[1] * u[1];
    r.d = 1.0 / (c->spin * square + c->sigma);
    r.w = 0.5 * c->violation * (square - 1.0) + c->drag * (u[0] * v[0] + u[1] * v[1]);
    const double kappa = c->cross * c->cross * r.d, xx = kappa * u[0] * u[0], xy = kappa * u[0] * u[1],
                 yy = kappa * u[1] * u[1];
    r.P = (symmetric){c->four - xx, -xy, c->four - yy};
    r.Q = (symmetric){xx - c->two, xy, yy - c->two};
    return r;
}

/* Adds the part of the row of the length to the right-hand side of a joint; `side` is the sign of the joint times the
 * end. */
static inline void share(const constants *c, const rod *r, double side, vector *joint) {
    const double amount = side * c->cross * r->d * r->w;
    joint->x -= amount * r->u.x;
    joint->y -= amount * r->u.y;
}

/* Returns the right-hand side of a joint between end `second_end` of one rod and the head of another. */
static inline vector joint_of(const constants *c, const double *q2, const double *v2, double second_end,
                              const double *q1, const double *v1) {
    const double s = second_end * c->half, f = c->half;
    return (vector){
        c->violation * (q2[0] + s * q2[2] - q1[0] - f * q1[2]) + c->drag * (v2[0] + s * v2[2] - v1[0] - f * v1[2]),
        c->violation * (q2[1] + s * q2[3] - q1[1] - f * q1[3]) + c->drag * (v2[1] + s * v2[3] - v1[1] - f * v1[3])};
}

/* Returns the right-hand side of a joint of a tail at the origin, with gravity on one side. */
static inline vector root_of(const constants *c, const double *q, const double *v, double fall) {
    return (vector){c->violation * (q[0] - c->half * q[2]) + c->drag * (v[0] - c->half * v[2]),
                    c->violation * (q[1] - c->half * q[3]) + c->drag * (v[1] - c->half * v[3]) + fall};
}

/* Eliminates the four joints of a square and sets `next`. Rods at q: foot rail, head rail, rung. */
static inline void eliminate(const constants *c, const incoming *in, const double *q, const double *v, int last,
                             sb_bare_square *s, incoming *next, int *status) {
    const rod f = rod_of(c, q + 2, v + 2), t = rod_of(c, q + 6, v + 6), r = rod_of(c, q + 10, v + 10);
    vector F = in->F, T = in->T, R = joint_of(c, q + 8, v + 8, -1.0, q, v),
           C = joint_of(c, q + 8, v + 8, 1.0, q + 4, v + 4), Fn = {0.0, 0.0}, Tn = {0.0, 0.0};
    share(c, &f, -1.0, &F);
    share(c, &f, -1.0, &R);
    share(c, &f, -1.0, &Fn);
    share(c, &t, -1.0, &T);
    share(c, &t, -1.0, &C);
    share(c, &r, -1.0, &R);
    share(c, &r, 1.0, &C);
    share(c, &r, -1.0, &Tn);

    /* F: its blocks to R and to F' are equal, -Q of the foot rail, until R is eliminated. */
    s->D_f = inverse(plus(sum(in->FF, f.P), c->sigma), status);
    const block FR = negative(full(f.Q));
    s->F_T = times(s->D_f, in->FT);
    s->F_R = times(s->D_f, FR);
    s->F = times_vector(s->D_f, F);
    T = minus_vector(T, in->FT, s->F);
    const symmetric TT = minus_symmetric(plus(sum(in->TT, t.P), c->sigma), in->FT, s->F_T);
    const block TR = minus((block){0.0, 0.0, 0.0, 0.0}, in->FT, s->F_R);
    symmetric W = minus_symmetric(f.P, FR, s->F_R);

    s->D_t = inverse(TT, status);
    const block TC = negative(full(t.Q));
    s->T_R = times(s->D_t, TR);
    s->T_C = times(s->D_t, TC);
    s->T = times_vector(s->D_t, T);
    W = minus_symmetric(W, TR, s->T_R);
    R = minus_vector(minus_vector(R, FR, s->F), TR, s->T);
    C = minus_vector(C, TC, s->T);
    const block FC = minus((block){0.0, 0.0, 0.0, 0.0}, TR, s->T_C); /* F' to C */
    const block Q = full(r.Q), RC = {Q.xx + FC.xx, Q.xy + FC.xy, Q.yx + FC.yx, Q.yy + FC.yy};
    symmetric CC = minus_symmetric(plus(sum(t.P, r.P), c->sigma), TC, s->T_C);

    s->D_r = inverse(plus(sum(W, r.P), c->sigma), status);
    s->R_C = times(s->D_r, RC);
    s->R = times_vector(s->D_r, R);
    C = minus_vector(C, RC, s->R);
    CC = minus_symmetric(CC, RC, s->R_C);
    s->D_c = inverse(CC, status);
    s->C = times_vector(s->D_c, C);
    if (last) {
        return;
    }
    const block RF = full(W), RT = negative(Q);
    s->R_F = times(s->D_r, RF);
    s->R_T = times(s->D_r, RT);
    const block CF = minus(transposed(FC), RC, s->R_F), CT = minus(negative(full(r.P)), RC, s->R_T);
    s->C_F = times(s->D_c, CF);
    s->C_T = times(s->D_c, CT);
    next->FF = minus_symmetric(minus_symmetric(W, RF, s->R_F), CF, s->C_F);
    next->FT = minus(minus((block){0.0, 0.0, 0.0, 0.0}, RF, s->R_T), CF, s->C_T);
    next->TT = minus_symmetric(minus_symmetric(r.P, RT, s->R_T), CT, s->C_T);
    const vector F_n = joint_of(c, q + 12, v + 12, -1.0, q, v), T_n = joint_of(c, q + 16, v + 16, -1.0, q + 8, v + 8);
    Fn = minus_vector(minus_vector(minus_vector(minus_vector(Fn, FR, s->F), TR, s->T), RF, s->R), CF, s->C);
    Tn = minus_vector(minus_vector(Tn, RT, s->R), CT, s->C);
    next->F = (vector){F_n.x + Fn.x, F_n.y + Fn.y};
    next->T = (vector){T_n.x + Tn.x, T_n.y + Tn.y};
}

/* Computes velocity and position after the step. `tail` and `head` are the signed sums of the multipliers there. */
static inline void move(const constants *c, const sb_bare_ladder *p, vector tail, vector head, double *q, double *v) {
    const rod r = rod_of(c, q + 2, v + 2);
    const vector turn = {head.x - tail.x, head.y - tail.y};
    const double own = r.d * (r.w - c->cross * (r.u.x * turn.x + r.u.y * turn.y));
    v[0] += 0.25 * c->four * (tail.x + head.x);
    v[1] += 0.25 * c->four * (tail.y + head.y) - p->h * p->g;
    v[2] += c->cross * turn.x + c->spin * r.u.x * own;
    v[3] += c->cross * turn.y + c->spin * r.u.y * own;
    for (int i = 0; i < 4; i++) {
        q[i] += p->h * v[i];
    }
}

int sb_bare_ladder_init(sb_arena *arena, sb_bare_ladder *ladder) {
    SB_NEW(arena, ladder->squares, ladder->N + 1);
    return SB_OK;
}

int sb_bare_ladder_step(const sb_bare_ladder *p, double *q, double *v) {
    const double upsilon = 1.0 / (1.0 + 4.0 * p->tau_over_h), m = p->m, l = p->l;
    const constants c = {.sigma = 4.0 / (p->h * p->h) * p->eps * upsilon,
                         .violation = -4.0 / p->h * upsilon,
                         .drag = upsilon - 1.0,
                         .four = 4.0 / m,
                         .two = 2.0 / m,
                         .cross = 6.0 / (m * l),
                         .spin = 12.0 / (m * l * l),
                         .half = 0.5 * l};
    const double fall = p->h * p->g;
    const vector zero = {0.0, 0.0};
    int status = SB_OK;

    /* The tail of the rung at the root is eliminated first. */
    sb_bare_square *root = p->squares;
    const rod first = rod_of(&c, q + 2, v + 2);
    const block RT = negative(full(first.Q));
    vector R = root_of(&c, q, v, fall);
    share(&c, &first, -1.0, &R);
    root->D_r = inverse(plus(first.P, c.sigma), &status);
    root->R_T = times(root->D_r, RT);
    root->R = times_vector(root->D_r, R);
    incoming passed[2] = {{.FF = {0.0, 0.0, 0.0}}};
    passed[0].TT = minus_symmetric(first.P, RT, root->R_T);
    passed[0].F = root_of(&c, q + 4, v + 4, fall);
    passed[0].T = joint_of(&c, q + 8, v + 8, -1.0, q, v);
    share(&c, &first, -1.0, &passed[0].T);
    passed[0].T = minus_vector(passed[0].T, RT, root->R);

    for (long k = 1; k < p->N; k++) {
        eliminate(&c, &passed[(k - 1) & 1], q + 12 * k - 8, v + 12 * k - 8, 0, &p->squares[k], &passed[k & 1], &status);
    }
    eliminate(&c, &passed[(p->N - 1) & 1], q + 12 * p->N - 8, v + 12 * p->N - 8, 1, &p->squares[p->N],
              &passed[p->N & 1], &status);

    vector Fn = zero, Tn = zero; /* multipliers of F' and T' */
    for (long k = p->N; k >= 1; k--) {
        sb_bare_square *s = &p->squares[k];
        double *x = q + 12 * k - 8, *w = v + 12 * k - 8;
        s->C = less(less(s->C, s->C_F, Fn), s->C_T, Tn);
        s->R = less(less(less(s->R, s->R_C, s->C), s->R_F, Fn), s->R_T, Tn);
        const vector both = {s->R.x + Fn.x, s->R.y + Fn.y}; /* R and F' share their blocks to F and T */
        s->T = less(less(s->T, s->T_R, both), s->T_C, s->C);
        s->F = less(less(s->F, s->F_T, s->T), s->F_R, both);
        move(&c, p, s->F, (vector){-both.x, -both.y}, x, w);
        move(&c, p, s->T, (vector){-s->C.x, -s->C.y}, x + 4, w + 4);
        move(&c, p, s->R, (vector){s->C.x - Tn.x, s->C.y - Tn.y}, x + 8, w + 8);
        Fn = s->F;
        Tn = s->T;
    }
    root->R = less(root->R, root->R_T, Tn);
    move(&c, p, root->R, (vector){-Tn.x, -Tn.y}, q, v);
    return status;
}
