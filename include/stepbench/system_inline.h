/* The definitions of the functions that system.h declares. */
#ifndef STEPBENCH_SYSTEM_INLINE_H
#define STEPBENCH_SYSTEM_INLINE_H

#include <stepbench/system.h>

static inline const sb_system *sb_system_constrained(const sb_system *sys) {
    return sys->constrained != NULL ? sys->constrained : sys;
}

static inline int sb_system_bilateral(const sb_system *sys) { return sys->holonomic.m + sys->nonholonomic.m; }

/* Returns the name of a bilateral row; NULL if it has none, or is no such row. */
static inline const char *sb_bilateral_name(const sb_system *sys, int row) {
    const int at = row < sys->holonomic.m ? row : row - sys->holonomic.m;
    const char *const *const names = row < sys->holonomic.m ? sys->holonomic.names : sys->nonholonomic.names;
    return names != NULL && row < sb_system_bilateral(sys) ? names[at] : NULL;
}

static inline int sb_system_multipliers(const sb_system *sys) {
    return sb_system_bilateral(sys) + sys->contact.m + sys->contact.k;
}

static inline int sb_potential_value(const sb_system *sys, sb_scalar t, const sb_scalar *q, sb_scalar *V) {
    return sys->potential.value(sys->potential.self, t, q, V);
}

static inline int sb_potential_gradient(const sb_system *sys, sb_scalar t, const sb_scalar *q, sb_scalar *Vq) {
    return sys->potential.gradient(sys->potential.self, t, q, Vq);
}

static inline int sb_potential_hessian(const sb_system *sys, sb_scalar t, const sb_scalar *q, sb_scalar c,
                                       sb_scalar *Hx) {
    return sys->potential.hessian(sys->potential.self, t, q, c, Hx);
}

static inline int sb_potential_stiffness(const sb_system *sys, sb_scalar t, const sb_scalar *q, sb_scalar c,
                                         sb_scalar *Hx) {
    return sys->potential.stiffness(sys->potential.self, t, q, c, Hx);
}

static inline int sb_potential_rate(const sb_system *sys, sb_scalar t, const sb_scalar *q, sb_scalar *Vt) {
    *Vt = 0.0;
    return sys->potential.rate == NULL ? SB_OK : sys->potential.rate(sys->potential.self, t, q, Vt);
}

static inline int sb_holonomic_value(const sb_system *sys, sb_scalar t, const sb_scalar *q, sb_scalar *g,
                                     sb_scalar *Gx) {
    return sys->holonomic.value(sys->holonomic.self, t, q, g, Gx);
}

static inline int sb_holonomic_hessian(const sb_system *sys, sb_scalar t, const sb_scalar *q, const sb_scalar *w,
                                       sb_scalar c, sb_scalar *Hx) {
    return sys->holonomic.hessian(sys->holonomic.self, t, q, w, c, Hx);
}

static inline int sb_holonomic_curvature(const sb_system *sys, sb_scalar t, const sb_scalar *q, const sb_scalar *v,
                                         sb_scalar *out) {
    return sys->holonomic.curvature(sys->holonomic.self, t, q, v, out);
}

static inline int sb_holonomic_rate(const sb_system *sys, sb_scalar t, const sb_scalar *q, sb_scalar *out) {
    if (sys->holonomic.rate != NULL) {
        return sys->holonomic.rate(sys->holonomic.self, t, q, out);
    }
    for (int i = 0; i < sys->holonomic.m; i++) {
        out[i] = 0.0;
    }
    return SB_OK;
}

static inline int sb_bilateral_value(const sb_system *sys, sb_scalar t, const sb_scalar *q, sb_scalar *g,
                                     sb_scalar *Cx) {
    const int m = sys->holonomic.m, nnz = sb_pattern_nnz(&sys->holonomic.G);
    if (m > 0) {
        SB_TRY(sb_holonomic_value(sys, t, q, g, Cx));
    }
    if (sys->nonholonomic.m > 0) {
        SB_TRY(sys->nonholonomic.value(sys->nonholonomic.self, t, q, Cx != NULL ? Cx + nnz : NULL,
                                       g != NULL ? g + m : NULL));
    }
    return SB_OK;
}

#endif
