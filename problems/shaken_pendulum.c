/* A pendulum whose pivot moves along a line, p(t) = w(t) (cos(beta), sin(beta)): a constraint that
 * depends on time; landau76 30,
 *
 *   g = (|q - p|^2 - l^2)/2,   V = m g y,   w = amplitude cos(frequency t) + table(t).
 *
 * With a vertical line and amplitude^2 frequency^2 > 2 g l the pendulum is stable upside down. */
#include "problems/shared/constant_terms.h"
#include "problems/shared/motion.h"
#include "problems/shared/start.h"

typedef struct config {
    sb_scalar m, l, g, amplitude, frequency, beta, theta0, rate0;
    const char *file;
    int interpolation;
} config;

typedef struct pivot {
    config c;
    motion motion;
    sb_scalar line[2], *break_at;
} pivot;

/* Sets d to the vector from the pivot to the bob, and p1 and p2 to the velocity and the acceleration of the pivot. */
static void pivot_at(const pivot *p, sb_scalar t, const sb_scalar *q, sb_scalar d[2], sb_scalar p1[2],
                     sb_scalar p2[2]) {
    sb_scalar w[3];
    motion_at(&p->motion, t, w);
    for (int i = 0; i < 2; i++) {
        d[i] = q[i] - w[0] * p->line[i];
        p1[i] = w[1] * p->line[i];
        p2[i] = w[2] * p->line[i];
    }
}

static int value(const void *self, sb_scalar t, const sb_scalar *q, sb_scalar *g, sb_scalar *Gx) {
    const pivot *p = self;
    sb_scalar d[2], p1[2], p2[2];
    pivot_at(p, t, q, d, p1, p2);
    if (g != NULL) {
        g[0] = 0.5 * (d[0] * d[0] + d[1] * d[1] - p->c.l * p->c.l);
    }
    if (Gx != NULL) {
        memcpy(Gx, d, sizeof d);
    }
    return SB_OK;
}

static int hessian(const void *self, sb_scalar t, const sb_scalar *q, const sb_scalar *w, sb_scalar c, sb_scalar *Hx) {
    Hx[0] += c * w[0];
    Hx[1] += c * w[0];
    return SB_OK;
}

/* |v - p'|^2 - d . p'' */
static int curvature(const void *self, sb_scalar t, const sb_scalar *q, const sb_scalar *v, sb_scalar *out) {
    sb_scalar d[2], p1[2], p2[2];
    pivot_at(self, t, q, d, p1, p2);
    out[0] = (v[0] - p1[0]) * (v[0] - p1[0]) + (v[1] - p1[1]) * (v[1] - p1[1]) - d[0] * p2[0] - d[1] * p2[1];
    return SB_OK;
}

static int rate(const void *self, sb_scalar t, const sb_scalar *q, sb_scalar *out) {
    sb_scalar d[2], p1[2], p2[2];
    pivot_at(self, t, q, d, p1, p2);
    out[0] = -d[0] * p1[0] - d[1] * p1[1];
    return SB_OK;
}

static const sb_output output_list[] = {{"theta", "rad", "angle from the downward vertical, at the pivot", false}};

static int outputs(const void *self, sb_scalar t, const sb_scalar *q, const sb_scalar *v, sb_scalar *out) {
    sb_scalar d[2], p1[2], p2[2];
    pivot_at(self, t, q, d, p1, p2);
    out[0] = atan2(d[0], -d[1]);
    return SB_OK;
}

/* Returns the inverse of the largest of: the rate of the pivot, the initial rate, and the frequency of the pendulum. */
static sb_scalar time_scale(const pivot *p) {
    return time_scale_of(fmax(fmax(motion_fastest(&p->motion), fabs(p->c.rate0)), sqrt(p->c.g / p->c.l)));
}

static int init(sb_context *ctx, sb_arena *arena, const void *parameters, sb_system *out) {
    const config *c = parameters;
    const sb_scalar s = sin(c->theta0), k = cos(c->theta0);
    sb_scalar d[2], p1[2], p2[2];
    pivot *p;
    SB_NEW(arena, p, 1);
    p->c = *c;
    p->motion = (motion){.amplitude = c->amplitude, .frequency = c->frequency, .phase = 0.5 * SB_PI};
    p->line[0] = cos(c->beta);
    p->line[1] = sin(c->beta);
    if (c->file[0] != '\0') {
        SB_TRY(sb_time_table_read(ctx, arena, c->file, c->interpolation == 0 ? TIME_TABLE_MONOTONE : TIME_TABLE_CUBIC,
                                  &p->motion.table));
        SB_TRY(sb_time_table_breaks(arena, &p->motion.table, &out->breaks, &p->break_at));
        out->break_at = p->break_at;
        SB_TRY(sb_time_table_note(arena, "the pivot", c->file, &p->motion.table, &out->note));
    }
    const sb_scalar masses[] = {c->m, c->m}, weights[] = {0.0, c->m};
    out->n = 2;
    out->time_scale = time_scale(p);
    SB_TRY(sb_pattern_diagonal(arena, 2, &out->H));
    SB_TRY(set_masses(arena, 2, masses, &out->inertia));
    SB_TRY(set_gravity(arena, 2, c->g, weights, &out->potential));
    out->holonomic = (sb_holonomic){
        .self = p, .m = 1, .degree = 2, .value = value, .hessian = hessian, .curvature = curvature, .rate = rate};
    SB_TRY(sb_pattern_full(arena, 2, 1, &out->holonomic.G));
    out->outputs = (sb_outputs){p, 1, output_list, outputs};
    pivot_at(p, 0.0, (sb_scalar[2]){0.0}, d, p1, p2);
    return set_start(arena, (sb_scalar[2]){-d[0] + c->l * s, -d[1] - c->l * k},
                     (sb_scalar[2]){p1[0] + c->l * k * c->rate0, p1[1] + c->l * s * c->rate0}, out);
}

static const sb_param params[] = {
    SB_PARAM_POSITIVE(config, m, "1", "kg", "mass of the bob"),
    SB_PARAM_POSITIVE(config, l, "1", "m", "length"),
    SB_PARAM_NOT_NEGATIVE(config, g, "9.81", "m/s^2", "gravity"),
    SB_PARAM_ANY(config, amplitude, "0.2", "m", "amplitude of the pivot"),
    SB_PARAM_ANY(config, frequency, "30", "rad/s", "angular frequency of the pivot"),
    SB_PARAM_ANY(config, beta, "1.5707963267948966", "rad",
                 "direction of the pivot's line: 0 horizontal, pi/2 vertical"),
    SB_PARAM_ANY(config, theta0, "2.8", "rad", "initial angle from the downward vertical"),
    SB_PARAM_ANY(config, rate0, "0", "rad/s", "initial rate of the angle"),
    SB_PARAM_TEXT(config, file, "",
                  "table of the pivot's displacement in time, added to the oscillation: a CSV file with lines t,value"),
    SB_PARAM_CHOICE(
        config, interpolation, "monotone", "monotone|cubic",
        "of the table: monotone stays between the values of neighbouring lines, cubic is the natural spline"),
    {.name = NULL},
};

SB_DEFINE_PROBLEM(shaken_pendulum) = {
    .entry = {"shaken_pendulum", "pendulum whose pivot follows an oscillation or a table", "landau76 30", params,
              sizeof(config)},
    .init = init,
};
