/* The largest violation of the holonomic constraints along a run. */
#include <string.h>

#include <stepbench/numerics/dynamics.h>

#include "analysis/conservation/violation.h"
#include "analysis/row.h"
#include "core/base/params.h"
#include "core/base/text.h"

int sb_violation_init(sb_arena *arena, const sb_system *sys, sb_violation *out) {
    const sb_system *constrained = sb_system_constrained(sys);
    *out = (sb_violation){.sys = constrained};
    SB_TRY(SB_VECTORS(arena, constrained->n, &out->start, &out->D, &out->F, &out->work));
    SB_NEW(arena, out->g, constrained->holonomic.m);
    SB_NEW(arena, out->Gx, sb_pattern_nnz(&constrained->holonomic.G));
    SB_NEW(arena, out->Mx, sb_pattern_nnz(&constrained->inertia.M));
    SB_NEW(arena, out->Hx, sb_pattern_nnz(&constrained->H));
    return SB_OK;
}

/* Sets D and the size. A coordinate without mass has no length in this metric. */
static void measure(sb_violation *w, const double *q, const double *v) {
    const double T = w->sys->time_scale;
    for (int i = 0; i < w->sys->n; i++) {
        const int at = sb_pattern_find(&w->sys->inertia.M, i, i);
        w->D[i] = at >= 0 ? w->Mx[at] : 0.0;
        if (w->D[i] > 0.0) {
            const double moved = fmax(fabs(q[i] - w->start[i]), T * fmax(fabs(v[i]), T * fabs(w->F[i]) / w->D[i]));
            w->size = fmax(w->size, sqrt(w->D[i]) * moved);
        }
    }
}

int sb_violation_add(sb_violation *w, double t, const double *q, const double *v) {
    const sb_system *sys = w->sys;
    const sb_holonomic *rows = &sys->holonomic;
    if (rows->m == 0) {
        return SB_OK;
    }
    int status = sb_holonomic_value(sys, t, q, w->g, w->Gx);
    status = status == SB_OK ? sys->inertia.mass(sys->inertia.self, q, w->Mx) : status;
    status = status == SB_OK ? sb_system_applied_force(sys, t, q, v, w->F, w->work, w->Hx) : status;
    if (status != SB_OK) {
        return sb_failure_is_result(status) ? SB_OK : status; /* a state where a term is not defined */
    }
    if (!w->begun) {
        memcpy(w->start, q, (size_t)sys->n * sizeof *q);
        w->begun = true;
    }
    measure(w, q, v);
    for (int j = 0; j < rows->m; j++) {
        double mobility = 0.0;
        for (int k = rows->G.p[j]; k < rows->G.p[j + 1]; k++) {
            mobility += w->Gx[k] != 0.0 ? w->Gx[k] * w->Gx[k] / w->D[rows->G.i[k]] : 0.0;
        }
        const double distance = w->g[j] != 0.0 ? fabs(w->g[j]) / sqrt(mobility) : 0.0;
        if (distance > w->distance && !(rows->eps != NULL && rows->eps[j] > 0.0)) {
            w->distance = distance;
            w->row = j;
            w->residual = fabs(w->g[j]);
            w->t = t;
        }
    }
    return SB_OK;
}

/* Writes what reduces the violation beside a smaller step. */
static void write_remedy(const sb_violation *w, const sb_pair *pair, char *out, size_t size) {
    const sb_stepper *type = pair->type;
    const sb_param *p = type->compliance != NULL ? sb_param_find(&type->entry, type->compliance) : NULL;
    const double compliance = p != NULL ? *(const double *)((const char *)pair->config + p->offset) : 0.0;
    out[0] = '\0';
    if (w->sys != pair->sys) {
        snprintf(out, size, "other parameters of the formulation, which have units, or ");
    } else if (compliance > 0.0) {
        snprintf(out, size, "a smaller %s (%g here, in the units of the problem) or ", type->compliance, compliance);
    } else if (type->control.tolerance != NULL) {
        snprintf(out, size, "a smaller %s or ", type->control.tolerance);
    } else if (sb_param_find(&type->entry, "sweeps") != NULL) {
        snprintf(out, size, "more sweeps or ");
    }
}

int sb_violation_note(sb_arena *arena, const sb_violation *w, const sb_pair *pair, double h, const char **note) {
    const double steps = h / w->sys->time_scale;
    char remedy[160], *text;
    *note = "";
    if (!(w->distance > fmax(1e-3, steps * steps) * w->size)) {
        return SB_OK;
    }
    const char *const name = sb_bilateral_name(w->sys, w->row);
    write_remedy(w, pair, remedy, sizeof remedy);
    SB_PRINT(arena, text,
             "at t = %.4g the holonomic constraint %d%s%s%s is violated by %.3g, where the motion has a size of %.3g "
             "in its units: %sa smaller step reduces it",
             w->t, w->row, name != NULL ? " (" : "", name != NULL ? name : "", name != NULL ? ")" : "", w->residual,
             w->residual * w->size / w->distance, remedy);
    *note = text;
    return SB_OK;
}
