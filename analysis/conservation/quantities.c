/* Invariants of a system: its energy and the momenta of its symmetries, less the work and the impulse of forces and
 * drivers, and the outputs declared invariant. */
#include "analysis/conservation/quantities.h"

int sb_quantities_init(sb_context *ctx, sb_arena *arena, const sb_system *sys, double h, sb_quantities *out) {
    *out =
        (sb_quantities){.sys = sys, .balanced = sb_applied_work_exists(sys) && sb_applied_work_excluded(sys) == NULL};
    SB_TRY(sb_dynamics_init_late(ctx, arena, sys, &out->dyn));
    const int room = 1 + sys->symmetry.count + sys->outputs.count;
    SB_NEW(arena, out->names, room);
    SB_NEW(arena, out->output, room);
    SB_TRY(SB_VECTORS(arena, sys->n, &out->p, &out->xi));
    SB_TRY(SB_VECTORS(arena, sys->outputs.count, &out->outputs, &out->up, &out->down));
    SB_TRY(SB_VECTORS(arena, sys->n, &out->q, &out->v));
    SB_TRY(out->balanced ? sb_applied_work_init(ctx, arena, sys, h, &out->work) : SB_OK);
    out->names[out->count++] = out->balanced ? "energy balance" : "energy";
    for (int i = 0; i < sys->symmetry.count; i++) {
        out->names[out->count++] = sys->symmetry.names[i];
    }
    for (int i = 0; i < sys->outputs.count; i++) {
        if (sys->outputs.list[i].invariant) {
            out->output[out->count] = i;
            out->names[out->count++] = sys->outputs.list[i].name;
        }
    }
    return SB_OK;
}

int sb_quantities_pair(sb_quantities *qs, const double *q, const double *p, double *momentum, double *size) {
    const sb_symmetry *symmetry = &qs->sys->symmetry;
    for (int i = 0; i < symmetry->count; i++) {
        SB_TRY(symmetry->generator(symmetry->self, i, q, qs->xi));
        double sum = 0.0, terms = 0.0;
        for (int j = 0; j < qs->sys->n; j++) {
            sum += p[j] * qs->xi[j];
            terms += fabs(p[j] * qs->xi[j]);
        }
        momentum[i] = sum;
        if (size != NULL) {
            size[i] = terms;
        }
    }
    return SB_OK;
}

int sb_quantities_sensitivity(sb_quantities *qs, double t, const double *q, double *sensitivity) {
    *sensitivity = 0.0;
    if (qs->sys->potential.value == NULL) {
        return SB_OK;
    }
    SB_TRY(sb_potential_gradient(qs->sys, t, q, qs->p));
    for (int i = 0; i < qs->sys->n; i++) {
        *sensitivity += fabs(q[i] * qs->p[i]);
    }
    return SB_OK;
}

int sb_quantities_momenta(sb_quantities *qs, const double *q, const double *v, double *momenta) {
    SB_TRY(sb_dynamics_momentum(&qs->dyn, q, v, qs->p));
    return sb_quantities_pair(qs, q, qs->p, momenta, NULL);
}

int sb_quantities_energy(sb_dynamics *dyn, double t, const double *q, const double *v, double *energy, double *size) {
    double kinetic, potential;
    SB_TRY(sb_dynamics_energy(dyn, t, q, v, &kinetic, &potential));
    *energy = kinetic + potential;
    *size = fabs(kinetic) + fabs(potential);
    return SB_OK;
}

int sb_quantities_follow(sb_quantities *qs, double t, const double *q, const double *v) {
    return qs->balanced ? sb_applied_work_add(&qs->work, t, q, v) : SB_OK;
}

/* Relative change of the coordinates and velocities by which the terms of an output are measured: round-off in the
 * output, eps of its terms, is then 2e-10 of what is measured, and so are at most the second derivatives. */
static const double change = 1e-6;

/* Sets `out` to the outputs where every coordinate and velocity is changed by a fraction s of itself, times a number in
 * [-1, 1] that differs from one to the other and from sample to sample. Outputs outside their domain are NaN. */
static void changed_outputs(sb_quantities *qs, double t, const double *q, const double *v, double s, double *out) {
    const sb_system *sys = qs->sys;
    for (int i = 0; i < sys->n; i++) {
        qs->q[i] = q[i] * (1.0 + s * cos(2.4 * i + 1.0 * (double)qs->samples));
        qs->v[i] = v[i] * (1.0 + s * cos(2.4 * i + 1.7 * (double)qs->samples + 1.0));
    }
    if (sys->outputs.value(sys->outputs.self, t, qs->q, qs->v, out) != SB_OK) {
        for (int i = 0; i < sys->outputs.count; i++) {
            out[i] = NAN;
        }
    }
}

/* Sets the invariant outputs and the sizes of their terms: the value, or the change by `change` of the coordinates and
 * velocities over it, where it is larger. The smaller one of the changes by either sign is taken, because an angle may
 * jump by a turn; a factor 2 makes up for the numbers below 1. */
static int set_outputs(sb_quantities *qs, double t, const double *q, const double *v, int first, double *value,
                       double *size) {
    const sb_system *sys = qs->sys;
    SB_TRY(sys->outputs.value(sys->outputs.self, t, q, v, qs->outputs));
    changed_outputs(qs, t, q, v, change, qs->up);
    changed_outputs(qs, t, q, v, -change, qs->down);
    qs->samples++;
    for (int i = first; i < qs->count; i++) {
        const int k = qs->output[i];
        value[i] = qs->outputs[k];
        const double moved = fmin(fabs(qs->up[k] - value[i]), fabs(qs->down[k] - value[i]));
        size[i] = fmax(fabs(value[i]), 2.0 * moved / change); /* fmax and fmin leave out a NaN */
    }
    return SB_OK;
}

/* Where the Hamiltonian depends on time, no method conserves the energy less the work along a numerical motion: the
 * error of the quadrature may accumulate. */
const char *sb_quantities_excluded(const sb_quantities *qs, int i) {
    if (i == 0 && (qs->sys->flags & (unsigned)(SB_HAS_RHEONOMIC | SB_HAS_TIME_POTENTIAL)) != 0) {
        return "the potential or the constraints depend on time: the energy is not conserved";
    }
    return i <= qs->sys->symmetry.count ? sb_applied_work_excluded(qs->sys) : NULL;
}

int sb_quantities_value(sb_quantities *qs, double t, const double *q, const double *v, double *value, double *size) {
    const sb_system *sys = qs->sys;
    const int first = 1 + sys->symmetry.count;
    SB_TRY(sb_quantities_energy(&qs->dyn, t, q, v, &value[0], &size[0]));
    SB_TRY(sb_dynamics_momentum(&qs->dyn, q, v, qs->p));
    SB_TRY(sb_quantities_pair(qs, q, qs->p, value + 1, size + 1));
    for (int i = 0; i < first && qs->balanced; i++) {
        value[i] -= i == 0 ? qs->work.value : qs->work.impulse[i - 1];
        size[i] += i == 0 ? qs->work.size : qs->work.magnitude[i - 1];
    }
    return qs->count > first ? set_outputs(qs, t, q, v, first, value, size) : SB_OK;
}

double sb_accumulated_rounding(double size, long steps) { return 10.0 * sqrt((double)steps) * DBL_EPSILON * size; }
