/* The callbacks of a system as functions of a point with one array of values each. */
#include <string.h>

#include <stepbench/numerics/norm.h>

#include "analysis/system/terms.h"

static const char *const symbols[] = {
#define SYMBOL(id, symbol, callback, values, given) symbol,
    SB_TERM_LIST(SYMBOL)
#undef SYMBOL
};

const char *sb_term_symbol(sb_term term) { return symbols[term]; }

/* The description of a term for a system. */
typedef struct description {
    const char *callback;
    bool given;
    int length;
    const sb_pattern *pattern;
} description;

static description describe(sb_term term, const sb_system *y) {
    const description none = {"", false, 0, NULL};
    if (y->chart == NULL && term >= SB_TERM_CHART) {
        return none;
    }
    switch (term) {
#define SB_ON(pattern) sb_pattern_nnz(pattern), pattern
#define SB_LONG(length) length, NULL
#define DESCRIBE(id, symbol, callback, values, given)                                                                  \
    case SB_TERM_##id: return (description){callback, given, values};
        SB_TERM_LIST(DESCRIBE)
#undef DESCRIBE
#undef SB_LONG
#undef SB_ON
    default: return none;
    }
}

const char *sb_term_callback(sb_term term, const sb_system *sys) { return describe(term, sys).callback; }

bool sb_term_given(sb_term term, const sb_system *sys) { return describe(term, sys).given; }

int sb_term_length(sb_term term, const sb_system *sys) { return describe(term, sys).length; }

const sb_pattern *sb_term_pattern(sb_term term, const sb_system *sys) { return describe(term, sys).pattern; }

bool sb_term_adds(sb_term term, const sb_system *sys) {
    const sb_pattern *pattern = sb_term_pattern(term, sys);
    return pattern != NULL && (pattern == &sys->H || (sys->chart != NULL && pattern == &sys->chart->H));
}

static int momentum(const sb_term_point *p, double *out) {
    const sb_inertia *in = &p->sys->inertia;
    memset(out, 0, (size_t)p->sys->n * sizeof *out);
    SB_TRY(in->mass(in->self, p->q, p->scratch));
    sb_csc_mult_add(&in->M, p->scratch, 1.0, p->v, out);
    return SB_OK;
}

static int kinetic(const sb_term_point *p, double *T) {
    const sb_inertia *in = &p->sys->inertia;
    SB_TRY(in->mass(in->self, p->q, p->scratch));
    *T = 0.0;
    for (int j = 0; j < p->sys->n; j++) {
        for (int k = in->M.p[j]; k < in->M.p[j + 1]; k++) {
            *T += 0.5 * p->v[in->M.i[k]] * p->scratch[k] * p->v[j];
        }
    }
    return SB_OK;
}

static int holonomic(sb_term term, const sb_term_point *p, double c, double *out) {
    const sb_system *sys = p->sys;
    const sb_pattern *G = &sys->holonomic.G;
    switch (term) {
    case SB_TERM_CONSTRAINT: return sb_holonomic_value(sys, p->t, p->q, out, NULL);
    case SB_TERM_JACOBIAN: return sb_holonomic_value(sys, p->t, p->q, NULL, out);
    case SB_TERM_CONSTRAINT_T: return sb_holonomic_rate(sys, p->t, p->q, out);
    case SB_TERM_RATE_OF_G:
        SB_TRY(sb_holonomic_value(sys, p->t, p->q, NULL, p->scratch));
        sb_csc_mult_t(G, p->scratch, p->v, out);
        SB_TRY(sb_holonomic_rate(sys, p->t, p->q, p->scratch));
        sb_axpy(sys->holonomic.m, 1.0, p->scratch, out);
        return SB_OK;
    case SB_TERM_WEIGHTED_G:
        SB_TRY(sb_holonomic_value(sys, p->t, p->q, NULL, p->scratch));
        memset(out, 0, (size_t)p->sys->n * sizeof *out);
        sb_csc_mult_add(G, p->scratch, 1.0, p->w, out);
        return SB_OK;
    case SB_TERM_CONSTRAINT_QQ: return sb_holonomic_hessian(sys, p->t, p->q, p->w, c, out);
    default: return sb_holonomic_curvature(sys, p->t, p->q, p->v, out);
    }
}

static int nonholonomic(sb_term term, const sb_term_point *p, double *out) {
    const sb_nonholonomic *A = &p->sys->nonholonomic;
    switch (term) {
    case SB_TERM_PFAFFIAN: return A->value(A->self, p->t, p->q, out, NULL);
    case SB_TERM_DRIVE: return A->value(A->self, p->t, p->q, NULL, out);
    case SB_TERM_PFAFFIAN_RATE: return A->rate(A->self, p->t, p->q, p->v, out);
    case SB_TERM_PFAFFIAN_Q: return A->gradient == NULL ? SB_OK : A->gradient(A->self, p->t, p->q, p->v, out);
    default: /* A v, or A v - w */
        SB_TRY(A->value(A->self, p->t, p->q, p->scratch, NULL));
        sb_csc_mult_t(&A->A, p->scratch, p->v, out);
        if (term == SB_TERM_RESIDUAL) {
            SB_TRY(A->value(A->self, p->t, p->q, NULL, p->scratch));
            sb_axpy(A->m, -1.0, p->scratch, out);
        }
        return SB_OK;
    }
}

static int chart(sb_term term, const sb_term_point *p, double c, double *out) {
    const sb_chart *psi = p->sys->chart;
    switch (term) {
    case SB_TERM_CHART: return psi->point(psi->self, p->s, out, NULL);
    case SB_TERM_CHART_S: return psi->point(psi->self, p->s, NULL, out);
    case SB_TERM_WEIGHTED_D:
        SB_TRY(psi->point(psi->self, p->s, NULL, p->scratch));
        sb_csc_mult_t(&psi->D, p->scratch, p->wq, out);
        return SB_OK;
    case SB_TERM_CHART_SS: return psi->hessian(psi->self, p->s, p->wq, c, out);
    case SB_TERM_CHART_SSS: return psi->third(psi->self, p->s, p->wq, p->u, c, out);
    default:
        SB_TRY(psi->point(psi->self, p->s, p->scratch, NULL));
        return sb_holonomic_value(p->sys, p->t, p->scratch, out, NULL);
    }
}

static int other(sb_term term, const sb_term_point *p, double c, double *out) {
    const sb_inertia *in = &p->sys->inertia;
    const sb_force *f = &p->sys->force;
    const sb_contact *contact = &p->sys->contact;
    const sb_outputs *outputs = &p->sys->outputs;
    switch (term) {
    case SB_TERM_MASS: return in->mass(in->self, p->q, out);
    case SB_TERM_KINETIC: return kinetic(p, out);
    case SB_TERM_MOMENTUM: return momentum(p, out);
    case SB_TERM_KINETIC_Q: return in->gradient(in->self, p->q, p->v, out);
    case SB_TERM_KINETIC_QQ: return in->hessian(in->self, p->q, p->v, c, 0.0, 0.0, out);
    case SB_TERM_KINETIC_QV: return in->hessian(in->self, p->q, p->v, 0.0, c, 0.0, out);
    case SB_TERM_KINETIC_VQ: return in->hessian(in->self, p->q, p->v, 0.0, 0.0, c, out);
    case SB_TERM_POTENTIAL: return sb_potential_value(p->sys, p->t, p->q, out);
    case SB_TERM_POTENTIAL_Q: return sb_potential_gradient(p->sys, p->t, p->q, out);
    case SB_TERM_POTENTIAL_QQ: return sb_potential_hessian(p->sys, p->t, p->q, c, out);
    case SB_TERM_STIFFNESS: return sb_potential_stiffness(p->sys, p->t, p->q, c, out);
    case SB_TERM_SPRINGS: return p->sys->potential.springs(p->sys->potential.self, c, out);
    case SB_TERM_POTENTIAL_T: return sb_potential_rate(p->sys, p->t, p->q, out);
    case SB_TERM_FORCE: return f->value(f->self, p->t, p->q, p->v, out);
    case SB_TERM_FORCE_Q: return f->jacobian(f->self, p->t, p->q, p->v, c, 0.0, out);
    case SB_TERM_FORCE_V: return f->jacobian(f->self, p->t, p->q, p->v, 0.0, c, out);
    case SB_TERM_GAP: return contact->gap(contact->self, p->q, out, NULL);
    case SB_TERM_NORMALS: return contact->gap(contact->self, p->q, NULL, out);
    case SB_TERM_TANGENTS: return contact->slip(contact->self, p->t, p->q, out, NULL);
    case SB_TERM_BELT: return contact->slip(contact->self, p->t, p->q, NULL, out);
    default: return outputs->value(outputs->self, p->t, p->q, p->v, out);
    }
}

int sb_term_evaluate(sb_term term, const sb_term_point *p, double c, double *out) {
    if (!sb_term_given(term, p->sys)) {
        memset(out, 0, (size_t)sb_term_length(term, p->sys) * sizeof *out);
        return SB_OK;
    }
    if (term >= SB_TERM_CHART) {
        return chart(term, p, c, out);
    }
    if (term >= SB_TERM_CONSTRAINT && term <= SB_TERM_CURVATURE) {
        return holonomic(term, p, c, out);
    }
    if (term >= SB_TERM_PFAFFIAN && term <= SB_TERM_PFAFFIAN_Q) {
        return nonholonomic(term, p, out);
    }
    return other(term, p, c, out);
}
