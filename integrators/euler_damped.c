/* Semi-implicit Euler with implicit damping, the integrators Euler, implicitfast and implicit of MuJoCo. */
#include <string.h>

#include <stepbench/numerics/dynamics.h>
#include <stepbench/numerics/saddle.h>
#include <stepbench/plugin.h>

/*   (M - h D) v1 = M v0 + h (F(t0, q0, v0) - D v0),   q1 = q0 + h v1
 *
 * with D = F_v at (t0, q0, v0) for derivative=whole (implicit), its symmetric part (F_v + F_v')/2 for symmetric
 * (implicitfast), its diagonal for diagonal (Euler), which holds the dampers of joints. D has no part of F_q: springs
 * stay explicit. On q'' = -omega^2 q - 2 zeta omega q' the step has the determinant d = 1/(1 + 2 zeta h omega) and the
 * trace 1 + d (1 - h^2 omega^2), and is stable for
 *
 *   h omega < 2 zeta + 2 sqrt(zeta^2 + 1). */
typedef struct config {
    int derivative;
} config;

enum { WHOLE, SYMMETRIC, DIAGONAL };

typedef struct work {
    sb_mass mass;
    sb_saddle matrix;
    sb_scalar *F, *tmp, *D;
    int *mirror; /* of each entry (i, j) of the pattern H, the entry (j, i) */
} work;

static int init(sb_method *me) {
    const sb_pattern *H = &me->sys->H;
    sb_pattern transposed; /* H itself, which is symmetric */
    work *w;
    SB_NEW(me->arena, w, 1);
    me->work = w;
    SB_TRY(SB_VECTORS(me->arena, me->sys->n, &w->F, &w->tmp));
    SB_NEW(me->arena, w->D, sb_pattern_nnz(H));
    SB_TRY(sb_pattern_transpose(me->arena, H, &transposed, &w->mirror));
    SB_TRY(sb_mass_init(me->ctx, me->arena, me->sys, &w->mass));
    return sb_saddle_init(me->ctx, me->arena, me->sys, &w->matrix);
}

/* Sets w->D to -h D. */
static int set_derivative(const sb_method *me, const sb_state *in, sb_scalar h) {
    const sb_force *f = &me->sys->force;
    const sb_pattern *H = &me->sys->H;
    const int derivative = ((const config *)me->config)->derivative;
    work *w = me->work;
    memset(w->D, 0, (size_t)sb_pattern_nnz(H) * sizeof *w->D);
    if (f->jacobian == NULL) {
        return SB_OK;
    }
    SB_TRY(f->jacobian(f->self, in->t, in->q, in->v, 0.0, -h, w->D));
    for (int j = 0; j < H->cols && derivative != WHOLE; j++) {
        for (int k = H->p[j]; k < H->p[j + 1]; k++) {
            const int i = H->i[k];
            if (i < j) {
                const sb_scalar mean = derivative == SYMMETRIC ? 0.5 * (w->D[k] + w->D[w->mirror[k]]) : 0.0;
                w->D[k] = w->D[w->mirror[k]] = mean;
            }
        }
    }
    return SB_OK;
}

static int step(const sb_method *me, const sb_state *in, sb_scalar h, sb_state *out) {
    const sb_system *sys = me->sys;
    work *w = me->work;
    const int nnz = sb_pattern_nnz(&sys->H);
    sb_scalar *b = out->v;
    SB_TRY(set_derivative(me, in, h));
    memcpy(w->matrix.Hx, w->D, (size_t)nnz * sizeof *w->D);
    sb_mass_add(&w->mass, 1.0, w->matrix.Hx);
    SB_TRY(sb_system_force(sys, in->t, in->q, in->v, w->F, w->tmp));
    sb_mass_mult(&w->mass, in->v, b);
    sb_csc_mult_add(&sys->H, w->D, 1.0, in->v, b);
    sb_axpy(sys->n, h, w->F, b);
    sb_saddle_assemble(&w->matrix, 1.0, 0.0, NULL, 0.0, NULL);
    SB_TRY(sb_saddle_factor(&w->matrix));
    SB_TRY(sb_saddle_solve(&w->matrix, b));
    for (int i = 0; i < sys->n; i++) {
        out->q[i] = in->q[i] + h * b[i];
    }
    return SB_OK;
}

static const sb_param params[] = {
    SB_PARAM_CHOICE(config, derivative, "whole", "whole|symmetric|diagonal",
                    "D: F_v, its symmetric part, or its diagonal: MuJoCo's implicit, implicitfast and Euler"),
    {.name = NULL},
};

SB_DEFINE_STEPPER(euler_damped) = {
    .entry = {"euler_damped", "semi-implicit Euler whose damping is implicit", "mujoco", params, sizeof(config)},
    .order = 1,
    .supports = SB_HAS_FORCE | SB_HAS_TIME_POTENTIAL,
    .init = init,
    .step = step,
};
