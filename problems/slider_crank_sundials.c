/* The slider crank of SUNDIALS' example idasSlCrank (sundials05) in the crank's angle q, the slider's place x, and the
 * rod's angle p; the rod has length 1. A spring k with a damper c joins the middles of crank and rod, at the distance
 * l, and a force F acts on the rod along x:
 *
 *   T = (J1 q'^2 + m2 x'^2 + J2 p'^2)/2,   V = k (l - l0)^2/2 - F (x + cos p),
 *   g = (x - cos p - a cos q, -sin p - a sin q). */
#include "problems/shared/constant_terms.h"
#include "problems/shared/start.h"

enum { Q, X, P, COORDINATES };

typedef struct config {
    sb_scalar a, J1, m2, J2, l0, k, c, F;
} config;

/* The vector between the middles, d = (x - cos p/2 - a cos q/2, -sin p/2 - a sin q/2), with r = d.d/2 = l^2/2. */
typedef struct middle {
    sb_scalar l, r[COORDINATES], rr[COORDINATES][COORDINATES]; /* r_q and r_qq */
} middle;

static middle middle_at(const config *c, const sb_scalar *q) {
    const sb_scalar c1 = 0.5 * c->a * cos(q[Q]), s1 = 0.5 * c->a * sin(q[Q]), c2 = 0.5 * cos(q[P]),
                    s2 = 0.5 * sin(q[P]);
    const sb_scalar d[2] = {q[X] - c2 - c1, -s2 - s1};
    const sb_scalar J[COORDINATES][2] = {{s1, -c1}, {1.0, 0.0}, {s2, -c2}};
    const sb_scalar bend[COORDINATES] = {c1 * d[0] + s1 * d[1], 0.0, c2 * d[0] + s2 * d[1]};
    middle out = {.l = sqrt(d[0] * d[0] + d[1] * d[1])};
    for (int i = 0; i < COORDINATES; i++) {
        out.r[i] = J[i][0] * d[0] + J[i][1] * d[1];
        for (int j = 0; j < COORDINATES; j++) {
            out.rr[i][j] = J[i][0] * J[j][0] + J[i][1] * J[j][1] + (i == j ? bend[i] : 0.0);
        }
    }
    return out;
}

static int potential(const void *self, sb_scalar t, const sb_scalar *q, sb_scalar *V) {
    const config *c = self;
    const sb_scalar stretch = middle_at(c, q).l - c->l0;
    *V = 0.5 * c->k * stretch * stretch - c->F * (q[X] + cos(q[P]));
    return SB_OK;
}

static int potential_gradient(const void *self, sb_scalar t, const sb_scalar *q, sb_scalar *Vq) {
    const config *c = self;
    const middle at = middle_at(c, q);
    for (int i = 0; i < COORDINATES; i++) {
        Vq[i] = c->k * (1.0 - c->l0 / at.l) * at.r[i];
    }
    Vq[X] -= c->F;
    Vq[P] += c->F * sin(q[P]);
    return at.l > 0.0 ? SB_OK : SB_DOMAIN;
}

static int potential_hessian(const void *self, sb_scalar t, const sb_scalar *q, sb_scalar c, sb_scalar *Hx) {
    const config *p = self;
    const middle at = middle_at(p, q);
    const sb_scalar pull = p->k * (1.0 - p->l0 / at.l), bend = p->k * p->l0 / (at.l * at.l * at.l);
    for (int k = 0; k < COORDINATES * COORDINATES; k++) {
        const int i = k % COORDINATES, j = k / COORDINATES;
        Hx[k] += c * (pull * at.rr[i][j] + bend * at.r[i] * at.r[j]);
    }
    Hx[P + COORDINATES * P] += c * p->F * cos(q[P]);
    return at.l > 0.0 ? SB_OK : SB_DOMAIN;
}

/* The damper: -c l' l_q = -c (r_q v) r_q/l^2. */
static int force(const void *self, sb_scalar t, const sb_scalar *q, const sb_scalar *v, sb_scalar *f) {
    const config *c = self;
    const middle at = middle_at(c, q);
    const sb_scalar rate = at.r[Q] * v[Q] + at.r[X] * v[X] + at.r[P] * v[P];
    for (int i = 0; i < COORDINATES; i++) {
        f[i] = -c->c * rate / (at.l * at.l) * at.r[i];
    }
    return at.l > 0.0 ? SB_OK : SB_DOMAIN;
}

static int force_jacobian(const void *self, sb_scalar t, const sb_scalar *q, const sb_scalar *v, sb_scalar cq,
                          sb_scalar cv, sb_scalar *Hx) {
    const config *c = self;
    const middle at = middle_at(c, q);
    const sb_scalar rate = at.r[Q] * v[Q] + at.r[X] * v[X] + at.r[P] * v[P], weight = -c->c / (at.l * at.l);
    for (int k = 0; k < COORDINATES * COORDINATES; k++) {
        const int i = k % COORDINATES, j = k / COORDINATES;
        const sb_scalar bend = at.rr[j][Q] * v[Q] + at.rr[j][X] * v[X] + at.rr[j][P] * v[P];
        Hx[k] += weight * (cv * at.r[i] * at.r[j] +
                           cq * (at.r[i] * (bend - 2.0 * rate / (at.l * at.l) * at.r[j]) + rate * at.rr[i][j]));
    }
    return at.l > 0.0 ? SB_OK : SB_DOMAIN;
}

static int constraints(const void *self, sb_scalar t, const sb_scalar *q, sb_scalar *g, sb_scalar *Gx) {
    const config *c = self;
    const sb_scalar c1 = c->a * cos(q[Q]), s1 = c->a * sin(q[Q]), c2 = cos(q[P]), s2 = sin(q[P]);
    if (g != NULL) {
        g[0] = q[X] - c2 - c1;
        g[1] = -s2 - s1;
    }
    if (Gx != NULL) {
        memcpy(Gx, (sb_scalar[]){s1, 1.0, s2, -c1, -c2}, 5 * sizeof *Gx);
    }
    return SB_OK;
}

static int constraint_hessian(const void *self, sb_scalar t, const sb_scalar *q, const sb_scalar *w, sb_scalar c,
                              sb_scalar *Hx) {
    const config *p = self;
    Hx[Q + COORDINATES * Q] += c * p->a * (w[0] * cos(q[Q]) + w[1] * sin(q[Q]));
    Hx[P + COORDINATES * P] += c * (w[0] * cos(q[P]) + w[1] * sin(q[P]));
    return SB_OK;
}

static int curvature(const void *self, sb_scalar t, const sb_scalar *q, const sb_scalar *v, sb_scalar *out) {
    const config *c = self;
    const sb_scalar turn1 = c->a * v[Q] * v[Q], turn2 = v[P] * v[P];
    out[0] = turn1 * cos(q[Q]) + turn2 * cos(q[P]);
    out[1] = turn1 * sin(q[Q]) + turn2 * sin(q[P]);
    return SB_OK;
}

static int init(sb_context *ctx, sb_arena *arena, const void *parameters, sb_system *out) {
    const config *c = parameters;
    out->n = COORDINATES;
    /* The rates of the spring, the force and the damper on the lightest part. */
    out->time_scale = time_scale_of(fmax(sqrt((c->k + c->F) / fmin(c->m2, fmin(c->J1, c->J2))), c->c / c->m2));
    SB_TRY(sb_pattern_full(arena, COORDINATES, COORDINATES, &out->H));
    SB_TRY(set_masses(arena, COORDINATES, (sb_scalar[COORDINATES]){c->J1, c->m2, c->J2}, &out->inertia));
    out->potential = (sb_potential){
        .self = c, .degree = -1, .value = potential, .gradient = potential_gradient, .hessian = potential_hessian};
    if (c->c > 0.0) {
        out->force = (sb_force){c, force, force_jacobian};
    }
    out->holonomic = (sb_holonomic){
        .self = c, .m = 2, .degree = -1, .value = constraints, .hessian = constraint_hessian, .curvature = curvature};
    SB_TRY(sb_pattern_from_pairs(arena, COORDINATES, 2, 5, (const int[]){Q, X, P, Q, P}, (const int[]){0, 0, 0, 1, 1},
                                 &out->holonomic.G));
    /* at rest with the crank across the slide */
    return set_start(
        arena, (sb_scalar[COORDINATES]){[Q] = 0.5 * SB_PI, [P] = -asin(c->a), [X] = sqrt((1.0 - c->a) * (1.0 + c->a))},
        NULL, out);
}

static const sb_param params[] = {
    SB_PARAM_REAL(config, a, "0.5", 0.0, 1.0, SB_OPEN, "", "length of the crank over that of the rod"),
    SB_PARAM_POSITIVE(config, J1, "1", "", "moment of inertia of the crank"),
    SB_PARAM_POSITIVE(config, m2, "1", "", "mass at the slider"),
    SB_PARAM_POSITIVE(config, J2, "2", "", "moment of inertia of the rod"),
    SB_PARAM_NOT_NEGATIVE(config, l0, "1", "", "natural length of the spring"),
    SB_PARAM_NOT_NEGATIVE(config, k, "1", "", "stiffness of the spring"),
    SB_PARAM_NOT_NEGATIVE(config, c, "1", "", "damping of the spring"),
    SB_PARAM_NOT_NEGATIVE(config, F, "1", "", "force on the rod"),
    {.name = NULL},
};

SB_DEFINE_PROBLEM(slider_crank_sundials) = {
    .entry = {"slider_crank_sundials", "slider crank in two angles and a place, with a spring, a damper and a force",
              "sundials05", params, sizeof(config)},
    .init = init,
};
