/* Linear solvers: the choice by name, or by the form, size and pattern of the matrix; the binding to a pattern; and the
 * sentence about a bad pivot. */
#include <string.h>

#include "core/base/registry.h"
#include "core/linear/choose.h"
#include "core/linear/ordering.h"

#define SB_SOLVER(name) extern const sb_solver sb_solver_##name;
#include "core/linear/list.def"
#undef SB_SOLVER

#define SB_SOLVER(name) &sb_solver_##name,
static const sb_solver *const solvers[] = {
#include "core/linear/list.def"
};
#undef SB_SOLVER

enum { SOLVERS = sizeof solvers / sizeof solvers[0] };

/* On chains of rods KLU is as fast as the dense kernel at 14 unknowns and seven times faster at 84, but it chooses new
 * pivots, and allocates memory, when the old ones are no longer stable. Partial pivoting on the full matrix does
 * neither, and takes about ten microseconds for 100 unknowns. static_ldl is the fastest at any size where its factor
 * stays sparse. */
enum { DENSE_MAX = 100 };

/* Represents the solver of a saddle matrix until its pattern is known: sb_solver_choose_by_pattern. */
static const sb_solver undecided = {
    .entry = {"auto", "small_ldl, static_ldl where its factor stays sparse, else KLU", "vanderbei95; davis10", NULL, 0},
    .symmetric = true};

/* Returns the solver that "auto" means. */
static const sb_solver *automatic(sb_form form, int size) {
    if (form != SB_FORM_GENERAL) {
        return form == SB_FORM_SADDLE ? &undecided : &sb_solver_static_ldl;
    }
    return size <= DENSE_MAX || sb_solver_klu.analyse == NULL ? &sb_solver_dense : &sb_solver_klu;
}

/* The limit of static_ldl, in products per entry of the matrix. It eliminates a constraint after all its coordinates,
 * so that the columns of a body fill in with all its joints: a step of SPOOK with 10 arms on a hub takes 0.4 of the
 * time with KLU, with 30 arms 0.9, with 100 arms 4.4. static_ldl takes about 0.3 ns per product there. KLU, which
 * orders constraints and coordinates freely, takes about 18 ns per entry, and UMFPACK 300 ns:
 * results/perf_star_times.csv. */
static const double products_per_entry = 60.0;

int sb_solver_choose_by_pattern(sb_context *ctx, const sb_pattern *A, int positive, const sb_solver **solver) {
    if (*solver != &undecided) {
        return SB_OK;
    }
    if (sb_solver_is_small(positive, A->cols - positive)) {
        *solver = &sb_solver_small_ldl;
        return SB_OK;
    }
    bool sparse = true;
    if (sb_solver_klu.analyse != NULL) {
        SB_SCRATCH(scratch, ctx);
        SB_TRY(sb_elimination_within(&scratch, A, positive, products_per_entry * sb_pattern_nnz(A), &sparse));
    }
    *solver = sparse ? &sb_solver_static_ldl : &sb_solver_klu;
    return SB_OK;
}

static const sb_solver *fail_unknown(sb_context *ctx, const char *name) {
    const char *names[SOLVERS + 1] = {"auto"};
    for (int i = 0; i < SOLVERS; i++) {
        names[i + 1] = solvers[i]->entry.name;
    }
    sb_fail_name(ctx, "no linear solver is named", name, SOLVERS + 1, names, "`stepbench list solvers` names them all");
    return NULL;
}

static const char *form_name(sb_form form) {
    return form == SB_FORM_SADDLE  ? "the saddle matrix, which is indefinite"
           : form == SB_FORM_SCHUR ? "the Schur complement"
                                   : "a matrix that is not symmetric";
}

int sb_solver_check(sb_context *ctx, const sb_solver *solver) {
    return solver->analyse != NULL ? SB_OK
                                   : sb_fail(ctx, SB_BAD_USAGE,
                                             "the linear solver %s is not in this build: install %s, configure with "
                                             "SB_SUITESPARSE=ON and build again",
                                             solver->entry.name, solver->package);
}

const sb_solver *sb_solver_choose(sb_context *ctx, const char *name, sb_form form, int size) {
    if (strcmp(name, "auto") == 0) {
        return automatic(form, size);
    }
    for (int i = 0; i < SOLVERS; i++) {
        const sb_solver *solver = solvers[i];
        if (strcmp(solver->entry.name, name) != 0) {
            continue;
        }
        if (sb_solver_check(ctx, solver) != SB_OK) {
            return NULL;
        }
        if ((solver->definite && form != SB_FORM_SCHUR) || (solver->symmetric && form == SB_FORM_GENERAL)) {
            sb_fail(ctx, SB_BAD_USAGE, "the linear solver %s takes symmetric %smatrices only and cannot factor %s; %s",
                    name, solver->definite ? "positive definite " : "", form_name(form),
                    solver->definite && form == SB_FORM_SADDLE ? "ask for the Schur form, or for the solver static_ldl"
                                                               : "dense takes every matrix");
            return NULL;
        }
        return solver;
    }
    return fail_unknown(ctx, name);
}

int sb_linear_init_at(sb_context *ctx, sb_arena *arena, const sb_solver *type, const sb_pattern *A, const int *at,
                      int positive, int first_constraint, sb_linear *out) {
    *out = (sb_linear){
        .type = type, .ctx = ctx, .A = *A, .at = at, .positive = positive, .first_constraint = first_constraint};
    out->values = sb_pattern_nnz(A);
    SB_TRY(sb_poll(ctx));
    return type->analyse(out, arena);
}

int sb_linear_init(sb_context *ctx, sb_arena *arena, const sb_solver *type, const sb_pattern *A, int positive,
                   int first_constraint, sb_linear *out) {
    return sb_linear_init_at(ctx, arena, type, A, NULL, positive, first_constraint, out);
}

int sb_linear_bad_pivot(const sb_linear *me, int row, sb_scalar pivot) {
    const bool constraint = row >= me->first_constraint;
    if (!isfinite(pivot)) {
        return sb_fail(me->ctx, SB_NOT_FINITE,
                       "the matrix of a linear system of %d unknowns is not finite; try a smaller step", me->A.cols);
    }
    const int number = constraint ? row - me->first_constraint : row;
    const char *const name = constraint && me->rows != NULL ? sb_bilateral_name(me->rows, number) : NULL;
    return sb_fail(me->ctx, SB_SINGULAR, "the linear system of %d unknowns is singular at %s %d%s%s (pivot %.3g)%s",
                   me->A.cols, constraint ? "constraint" : "unknown", number, name != NULL ? ", " : "",
                   name != NULL ? name : "", (double)pivot,
                   constraint
                       ? "; here this constraint depends on others, as in a singular pose: take a step or a start that "
                         "misses it, or a stepper with a compliance, such as spook and reg, or a larger one than here"
                       : "");
}
