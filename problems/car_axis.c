/* The car axis of ivptest08: two masses on springs, an axis of length L between them, and the left one on a lever that
 * turns with the road under the right wheel, y_b = r sin(omega t). With x_b = sqrt(L^2 - y_b^2), lengths L_l of
 * (x_l, y_l) and L_r of (x_r - x_b, y_r - y_b), and the time s as the last coordinate, with the row s' = 1:
 *
 *   T = m (x_l'^2 + y_l'^2 + x_r'^2 + y_r'^2)/2,   V = ((L_l - L_0)^2 + (L_r - L_0)^2)/2 + m (y_l + y_r),
 *   g = (x_l x_b + y_l y_b, (x_l - x_r)^2 + (y_l - y_r)^2 - L^2),   m = M eps^2/2.
 *
 * The multiplier of the row s' = 1 is the power that the road supplies. */
#include "problems/shared/constant_terms.h"
#include "problems/shared/start.h"

enum { XL, YL, XR, YR, TIME, COORDINATES };

typedef struct config {
    sb_scalar L, L0, eps, M, r, omega;
} config;

typedef struct axis {
    config c;
    sb_scalar m;
    sb_pattern H;
} axis;

/* The point of the road: x_b and y_b, each with two derivatives in time. */
typedef struct road {
    sb_scalar x[3], y[3];
} road;

static road road_at(const config *c, sb_scalar time) {
    const sb_scalar s = sin(c->omega * time), k = cos(c->omega * time), w = c->omega;
    road out = {.y = {c->r * s, c->r * w * k, -c->r * w * w * s}};
    out.x[0] = sqrt((c->L - out.y[0]) * (c->L + out.y[0]));
    out.x[1] = -out.y[0] * out.y[1] / out.x[0];
    out.x[2] = -(out.y[0] * out.y[2] + out.y[1] * out.y[1] + out.x[1] * out.x[1]) / out.x[0];
    return out;
}

/* Sets d to the vector along a spring and returns its length. The derivatives of d of the right spring in s are minus
 * the derivatives of the road. */
static sb_scalar spring_at(const road *b, const sb_scalar *q, bool right, sb_scalar d[2]) {
    d[0] = q[right ? XR : XL] - (right ? b->x[0] : 0.0);
    d[1] = q[right ? YR : YL] - (right ? b->y[0] : 0.0);
    return sqrt(d[0] * d[0] + d[1] * d[1]);
}

static int potential(const void *self, sb_scalar t, const sb_scalar *q, sb_scalar *V) {
    const axis *p = self;
    const road b = road_at(&p->c, q[TIME]);
    sb_scalar d[2];
    *V = p->m * (q[YL] + q[YR]);
    for (int side = 0; side < 2; side++) {
        const sb_scalar stretch = spring_at(&b, q, side == 1, d) - p->c.L0;
        *V += 0.5 * stretch * stretch;
    }
    return SB_OK;
}

static int potential_gradient(const void *self, sb_scalar t, const sb_scalar *q, sb_scalar *Vq) {
    const axis *p = self;
    const road b = road_at(&p->c, q[TIME]);
    sb_scalar d[2];
    Vq[TIME] = 0.0;
    for (int side = 0; side < 2; side++) {
        const sb_scalar length = spring_at(&b, q, side == 1, d), pull = 1.0 - p->c.L0 / length;
        if (!(length > 0.0)) {
            return SB_DOMAIN;
        }
        Vq[2 * side] = pull * d[0];
        Vq[2 * side + 1] = p->m + pull * d[1];
        Vq[TIME] -= side == 1 ? pull * (d[0] * b.x[1] + d[1] * b.y[1]) : 0.0;
    }
    return SB_OK;
}

/* The second derivatives of a spring's energy in d are (1 - L_0/L) 1 + (L_0/L^3) d d'. For the right spring d depends
 * on s as well. */
static int potential_hessian(const void *self, sb_scalar t, const sb_scalar *q, sb_scalar c, sb_scalar *Hx) {
    const axis *p = self;
    const road b = road_at(&p->c, q[TIME]);
    sb_scalar d[2];
    for (int side = 0; side < 2; side++) {
        const sb_scalar length = spring_at(&b, q, side == 1, d), pull = 1.0 - p->c.L0 / length,
                        bend = p->c.L0 / (length * length * length);
        const int at[3] = {2 * side, 2 * side + 1, TIME}, count = side == 1 ? 3 : 2;
        const sb_scalar J[3][2] = {{1.0, 0.0}, {0.0, 1.0}, {-b.x[1], -b.y[1]}};
        if (!(length > 0.0)) {
            return SB_DOMAIN;
        }
        for (int i = 0; i < count; i++) {
            for (int j = 0; j < count; j++) {
                const sb_scalar along = (J[i][0] * d[0] + J[i][1] * d[1]) * (J[j][0] * d[0] + J[j][1] * d[1]),
                                both = J[i][0] * J[j][0] + J[i][1] * J[j][1];
                Hx[sb_pattern_find(&p->H, at[i], at[j])] += c * (pull * both + bend * along);
            }
        }
        if (side == 1) {
            Hx[sb_pattern_find(&p->H, TIME, TIME)] -= c * pull * (d[0] * b.x[2] + d[1] * b.y[2]);
        }
    }
    return SB_OK;
}

static int constraints(const void *self, sb_scalar t, const sb_scalar *q, sb_scalar *g, sb_scalar *Gx) {
    const axis *p = self;
    const road b = road_at(&p->c, q[TIME]);
    const sb_scalar x = q[XL] - q[XR], y = q[YL] - q[YR];
    if (g != NULL) {
        g[0] = q[XL] * b.x[0] + q[YL] * b.y[0];
        g[1] = x * x + y * y - p->c.L * p->c.L;
    }
    if (Gx != NULL) {
        const sb_scalar all[] = {b.x[0], b.y[0], q[XL] * b.x[1] + q[YL] * b.y[1], 2.0 * x, 2.0 * y, -2.0 * x, -2.0 * y};
        memcpy(Gx, all, sizeof all);
    }
    return SB_OK;
}

static int constraint_hessian(const void *self, sb_scalar t, const sb_scalar *q, const sb_scalar *w, sb_scalar c,
                              sb_scalar *Hx) {
    const axis *p = self;
    const road b = road_at(&p->c, q[TIME]);
    for (int k = 0; k < 2; k++) {
        const sb_scalar turn = c * w[0] * (k == 0 ? b.x[1] : b.y[1]), length = 2.0 * c * w[1];
        Hx[sb_pattern_find(&p->H, XL + k, TIME)] += turn;
        Hx[sb_pattern_find(&p->H, TIME, XL + k)] += turn;
        Hx[sb_pattern_find(&p->H, XL + k, XL + k)] += length;
        Hx[sb_pattern_find(&p->H, XR + k, XR + k)] += length;
        Hx[sb_pattern_find(&p->H, XL + k, XR + k)] -= length;
        Hx[sb_pattern_find(&p->H, XR + k, XL + k)] -= length;
    }
    Hx[sb_pattern_find(&p->H, TIME, TIME)] += c * w[0] * (q[XL] * b.x[2] + q[YL] * b.y[2]);
    return SB_OK;
}

static int curvature(const void *self, sb_scalar t, const sb_scalar *q, const sb_scalar *v, sb_scalar *out) {
    const axis *p = self;
    const road b = road_at(&p->c, q[TIME]);
    const sb_scalar x = v[XL] - v[XR], y = v[YL] - v[YR], rate = v[TIME];
    out[0] = rate * (2.0 * (v[XL] * b.x[1] + v[YL] * b.y[1]) + rate * (q[XL] * b.x[2] + q[YL] * b.y[2]));
    out[1] = 2.0 * (x * x + y * y);
    return SB_OK;
}

static const sb_output output_list[] = {{"road_x", "m", "place of the road under the right wheel", false},
                                        {"road_y", "m", "its height", false}};

static int outputs(const void *self, sb_scalar t, const sb_scalar *q, const sb_scalar *v, sb_scalar *out) {
    const road b = road_at(&((const axis *)self)->c, q[TIME]);
    out[0] = b.x[0];
    out[1] = b.y[0];
    return SB_OK;
}

static int set_patterns(sb_arena *arena, axis *p, sb_system *out) {
    static const int row[] = {XL, YL, XR, YR, TIME, XL, YL,   XR,   YR,   XR,  YR,
                              XL, YL, XL, XR, YL,   YR, TIME, TIME, TIME, TIME},
                     col[] = {XL, YL, XR,   YR,   TIME, YL,   XL, YR, XR, XL, YL,
                              XR, YR, TIME, TIME, TIME, TIME, XL, YL, XR, YR};
    SB_TRY(sb_pattern_from_pairs(arena, COORDINATES, COORDINATES, sizeof row / sizeof *row, row, col, &p->H));
    out->H = p->H;
    return sb_pattern_from_pairs(arena, COORDINATES, 2, 7, (const int[]){XL, YL, TIME, XL, YL, XR, YR},
                                 (const int[]){0, 0, 0, 1, 1, 1, 1}, &out->holonomic.G);
}

static int init(sb_context *ctx, sb_arena *arena, const void *parameters, sb_system *out) {
    axis *p;
    SB_NEW(arena, p, 1);
    p->c = *(const config *)parameters;
    const config *c = &p->c;
    p->m = 0.5 * c->M * c->eps * c->eps;
    if (!(c->r < c->L)) {
        return sb_fail(ctx, SB_BAD_USAGE,
                       "car_axis: the road's amplitude r=%g reaches the axis' length L=%g; take r < L", (double)c->r,
                       (double)c->L);
    }
    out->n = COORDINATES;
    /* The time scales of the springs and of the road. The mass of the coordinate s has no effect. */
    out->time_scale = fmin(sqrt(p->m), 1.0 / fmax(c->omega, 1e-3));
    SB_TRY(set_masses(arena, COORDINATES, (sb_scalar[COORDINATES]){p->m, p->m, p->m, p->m, p->m}, &out->inertia));
    out->potential = (sb_potential){
        .self = p, .degree = -1, .value = potential, .gradient = potential_gradient, .hessian = potential_hessian};
    out->holonomic = (sb_holonomic){
        .self = p, .m = 2, .degree = -1, .value = constraints, .hessian = constraint_hessian, .curvature = curvature};
    SB_TRY(set_constant_rate(arena, TIME, 1.0, out)); /* s' = 1 */
    SB_TRY(set_patterns(arena, p, out));
    out->outputs = (sb_outputs){p, 2, output_list, outputs};
    /* The axis is level and the springs are relaxed; gravity is weak. The velocities are consistent: y_b' = r omega at
     * y_l = L_0 requires x_l' = -L_0 r omega/L. */
    const sb_scalar slide = -c->L0 * c->r * c->omega / c->L;
    return set_start(arena, (sb_scalar[COORDINATES]){0.0, c->L0, c->L, c->L0, 0.0},
                     (sb_scalar[COORDINATES]){slide, 0.0, slide, 0.0, 1.0}, out);
}

static const sb_param params[] = {
    SB_PARAM_POSITIVE(config, L, "1", "m", "length of the axis"),
    SB_PARAM_POSITIVE(config, L0, "0.5", "m", "natural length of a spring"),
    SB_PARAM_POSITIVE(config, eps, "0.01", "", "square root of twice the ratio of a wheel's mass m to M"),
    SB_PARAM_POSITIVE(config, M, "10", "kg", "mass of the car"),
    SB_PARAM_NOT_NEGATIVE(config, r, "0.1", "m", "amplitude of the road"),
    SB_PARAM_NOT_NEGATIVE(config, omega, "10", "rad/s", "angular frequency of the road"),
    {.name = NULL},
};

SB_DEFINE_PROBLEM(car_axis) = {
    .entry = {"car_axis", "car axis on a bumpy road: driven constraints, by a coordinate of time", "ivptest08", params,
              sizeof(config)},
    .init = init,
};
