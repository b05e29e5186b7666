/* The Schur complement G1' M^-1 G0, assembled by a static plan of products made once. */
#include <stdlib.h>

#include <stepbench/solve.h>

extern const sb_solver sb_solver_dense;

/* One product of the plan: S[s] += G1[a] W[w] G0[b]. */
typedef struct sb_schur_term {
    int s, a, w, b;
} sb_schur_term;

/* Visits every product in G1' W G0; counts when `terms` is NULL. */
static int plan(const sb_pattern *G, const sb_pattern *W, const sb_pattern *S, const int *row_p, const int *row_c, const int *row_k, sb_schur_term *terms) {
    int count = 0;
    for (int j = 0; j < G->cols; j++) {
        for (int b = G->p[j]; b < G->p[j + 1]; b++) {
            const int l = G->i[b];
            for (int w = W->p[l]; w < W->p[l + 1]; w++) {
                const int k = W->i[w];
                for (int r = row_p[k]; r < row_p[k + 1]; r++) {
                    if (terms != NULL) {
                        terms[count] = (sb_schur_term){sb_pattern_find(S, row_c[r], j), row_k[r], w, b};
                    }
                    count++;
                }
            }
        }
    }
    return count;
}

static int compare_terms(const void *x, const void *y) {
    const sb_schur_term *a = x, *b = y;
    const int s = (a->s > b->s) - (a->s < b->s);
    return s != 0 ? s : (a->b != b->b ? (a->b > b->b) - (a->b < b->b) : (a->w > b->w) - (a->w < b->w));
}

int sb_schur_init(sb_context *ctx, sb_arena *arena, const sb_system *sys, const sb_mass *mass, sb_schur *out) {
    const sb_pattern *G = &sys->holonomic.G;
    const int n = sys->n, m = sys->holonomic.m;
    *out = (sb_schur){.m = m};
    if (m == 0) {
        return SB_OK;
    }
    sb_pattern S;
    SB_TRY(sb_pattern_full(arena, m, m, &S));
    /* G by rows: the constraints that touch a coordinate */
    const int nnz = sb_pattern_nnz(G);
    int *row_p, *row_c, *row_k, *next;
    SB_NEW(arena, row_p, n + 1);
    SB_NEW(arena, row_c, nnz);
    SB_NEW(arena, row_k, nnz);
    SB_NEW(arena, next, n + 1);
    for (int k = 0; k < nnz; k++) {
        row_p[G->i[k] + 1]++;
    }
    for (int i = 0; i < n; i++) {
        row_p[i + 1] += row_p[i];
        next[i + 1] = row_p[i + 1];
    }
    for (int j = 0; j < m; j++) {
        for (int k = G->p[j]; k < G->p[j + 1]; k++) {
            const int at = next[G->i[k]]++;
            row_c[at] = j;
            row_k[at] = k;
        }
    }
    out->nterms = plan(G, &mass->W, &S, row_p, row_c, row_k, NULL);
    sb_schur_term *terms;
    SB_NEW(arena, terms, out->nterms);
    plan(G, &mass->W, &S, row_p, row_c, row_k, terms);
    qsort(terms, (size_t)out->nterms, sizeof *terms, compare_terms);
    out->terms = terms;
    SB_NEW(arena, out->Sx, sb_pattern_nnz(&S));
    return sb_linear_init(ctx, arena, &sb_solver_dense, &S, 0, &out->linear);
}

void sb_schur_fini(sb_schur *schur) { sb_linear_fini(&schur->linear); }

int sb_schur_factor(sb_schur *schur, const sb_mass *mass, const double *G1x, const double *G0x) {
    const sb_schur_term *term = schur->terms, *end = term + schur->nterms;
    const int nnz = schur->m * schur->m;
    for (int k = 0; k < nnz; k++) {
        schur->Sx[k] = 0.0;
    }
    for (; term < end; term++) {
        schur->Sx[term->s] += G1x[term->a] * mass->Wx[term->w] * G0x[term->b];
    }
    return schur->linear.type->factor(&schur->linear, schur->Sx);
}

int sb_schur_solve(const sb_schur *schur, double *b) { return schur->linear.type->solve(&schur->linear, b); }
