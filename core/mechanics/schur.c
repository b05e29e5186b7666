/* The Schur complement C1' M^-1 C0 + E, assembled along a static plan of products made once. */
#include <stepbench/numerics/saddle.h>
#include <stepbench/numerics/schur.h>

/* One product of the plan: S[s] += C1[a] W[w] C0[b]. */
typedef struct sb_schur_term {
    int s, a, w, b;
} sb_schur_term;

/* C by rows: the constraints that touch coordinate k are c[p[k]] ..., with values at[p[k]] ... */
typedef struct rows {
    int *p, *c, *at;
} rows;

static int by_rows(sb_arena *arena, const sb_pattern *C, rows *out) {
    const int n = C->rows, nnz = sb_pattern_nnz(C);
    int *next;
    SB_NEW(arena, out->p, n + 1);
    SB_NEW(arena, out->c, nnz);
    SB_NEW(arena, out->at, nnz);
    SB_NEW(arena, next, n + 1);
    for (int k = 0; k < nnz; k++) {
        out->p[C->i[k] + 1]++;
    }
    for (int i = 0; i < n; i++) {
        out->p[i + 1] += out->p[i];
        next[i + 1] = out->p[i + 1];
    }
    for (int j = 0; j < C->cols; j++) {
        for (int k = C->p[j]; k < C->p[j + 1]; k++) {
            const int at = next[C->i[k]]++;
            out->c[at] = j;
            out->at[at] = k;
        }
    }
    return SB_OK;
}

/* Visits every product of C' W C: (row, col) of S when `row` is not NULL, the plan when `terms` is not NULL. Returns their number. */
static int visit(const sb_pattern *C, const sb_pattern *W, const rows *r, int *row, int *col, const sb_pattern *S, sb_schur_term *terms) {
    int count = 0;
    for (int j = 0; j < C->cols; j++) {
        for (int b = C->p[j]; b < C->p[j + 1]; b++) {
            const int l = C->i[b];
            for (int w = W->p[l]; w < W->p[l + 1]; w++) {
                const int k = W->i[w];
                for (int e = r->p[k]; e < r->p[k + 1]; e++) {
                    if (row != NULL) {
                        row[count] = r->c[e];
                        col[count] = j;
                    }
                    if (terms != NULL) {
                        terms[count] = (sb_schur_term){sb_pattern_find(S, r->c[e], j), r->at[e], w, b};
                    }
                    count++;
                }
            }
        }
    }
    return count;
}

static int find_pattern(sb_arena *arena, const sb_pattern *C, const sb_pattern *W, const rows *r, int nterms, sb_pattern *S) {
    int *row, *col;
    SB_NEW(arena, row, nterms + C->cols);
    SB_NEW(arena, col, nterms + C->cols);
    visit(C, W, r, row, col, NULL, NULL);
    for (int j = 0; j < C->cols; j++) { /* E has a place even where a constraint touches nothing */
        row[nterms + j] = col[nterms + j] = j;
    }
    return sb_pattern_from_pairs(arena, C->cols, C->cols, nterms + C->cols, row, col, S);
}

int sb_schur_plan(sb_arena *arena, const sb_pattern *C, const sb_mass *mass, bool full, sb_schur *out) {
    *out = (sb_schur){.m = C->cols};
    rows r;
    SB_TRY(by_rows(arena, C, &r));
    out->nterms = visit(C, &mass->W, &r, NULL, NULL, NULL, NULL);
    SB_TRY(full ? sb_pattern_full(arena, out->m, out->m, &out->S) : find_pattern(arena, C, &mass->W, &r, out->nterms, &out->S));
    sb_schur_term *terms;
    int *at_E;
    SB_NEW(arena, terms, out->nterms);
    SB_NEW(arena, at_E, out->m);
    visit(C, &mass->W, &r, NULL, NULL, &out->S, terms);
    for (int j = 0; j < out->m; j++) {
        at_E[j] = sb_pattern_find(&out->S, j, j);
    }
    out->terms = terms;
    out->at_E = at_E;
    out->nnz = sb_pattern_nnz(&out->S);
    SB_NEW(arena, out->Sx, out->nnz);
    return SB_OK;
}

int sb_schur_init_with(sb_context *ctx, sb_arena *arena, const sb_system *sys, const sb_mass *mass, const sb_solver *solver, sb_schur *out) {
    *out = (sb_schur){0};
    if (sb_system_bilateral(sys) == 0) {
        return SB_OK;
    }
    sb_pattern C;
    SB_TRY(sb_system_constraints(arena, sys, &C));
    SB_TRY(sb_schur_plan(arena, &C, mass, solver->full, out));
    return sb_linear_init(ctx, arena, solver, &out->S, out->m, 0, &out->linear);
}

int sb_schur_init(sb_context *ctx, sb_arena *arena, const sb_system *sys, const sb_mass *mass, sb_schur *out) {
    return sb_schur_init_with(ctx, arena, sys, mass, sb_solver_choose(ctx, "auto", SB_FORM_GENERAL, sb_system_bilateral(sys)), out);
}

void sb_schur_fini(sb_schur *schur) { sb_linear_fini(&schur->linear); }

void sb_schur_assemble(sb_schur *schur, const sb_mass *mass, const double *C1x, const double *C0x, const double *E) {
    const sb_schur_term *term = schur->terms, *end = term + schur->nterms;
    double *restrict Sx = schur->Sx;
    for (int k = 0; k < schur->nnz; k++) {
        Sx[k] = 0.0;
    }
    for (; term < end; term++) {
        Sx[term->s] += C1x[term->a] * mass->Wx[term->w] * C0x[term->b];
    }
    for (int j = 0; j < schur->m && E != NULL; j++) {
        Sx[schur->at_E[j]] += E[j];
    }
}

int sb_schur_factor(sb_schur *schur, const sb_mass *mass, const double *C1x, const double *C0x, const double *E) {
    sb_schur_assemble(schur, mass, C1x, C0x, E);
    schur->linear.ctx->factorizations++;
    return schur->linear.type->factor(&schur->linear, schur->Sx);
}

int sb_schur_solve(const sb_schur *schur, double *b) { return schur->linear.type->solve(&schur->linear, b); }
