/* Analysis `workprec`: error against work, over a list of steps: the points of a work-precision diagram. hnw93 II.10. */
#include "analysis/accuracy/order.h"
#include "analysis/row.h"
#include "analysis/accuracy/work.h"

extern const sb_analysis sb_analysis_workprec;

enum { PROBLEM, STEPPER, H, STEPS, ERR_Q, ERR_V, ERR_LAMBDA, ERR_ENERGY, RELATIVE, EVALUATIONS, FORCE, JACOBIAN, CONSTRAINT, MASS, FACTOR, ITERS, STATUS, COLUMNS };

static sb_cell known(double x) {
    return isnan(x) ? sb_empty() : sb_real(x);
}

static int write_level(const sb_pair *pair, const sb_order *order, const sb_order_level *level, const sb_work *work, sb_sink *out) {
    const bool plateau = level->error[SB_ERR_Q] <= 10.0 * level->floor[SB_ERR_Q];
    const sb_cell row[COLUMNS] = {sb_text(pair->problem),
                                  sb_text(pair->stepper),
                                  sb_real(level->h),
                                  sb_int(level->steps),
                                  known(level->error[SB_ERR_Q]),
                                  known(level->error[SB_ERR_V]),
                                  known(level->error[SB_ERR_LAMBDA]),
                                  known(level->error[SB_ERR_ENERGY]),
                                  known(level->error[SB_ERR_Q] / order->size_q),
                                  sb_int(sb_work_evaluations(work)),
                                  sb_int(work->counts.force),
                                  sb_int(work->counts.hessian),
                                  sb_int(work->counts.constraint),
                                  sb_int(work->counts.mass),
                                  sb_int(work->factorizations),
                                  sb_int(work->iters),
                                  sb_text(plateau ? "plateau" : SB_STATUS_FINE)};
    return out->row(out, row);
}

static int write_rows(sb_context *ctx, sb_arena *arena, const sb_order_config *config, const sb_pair *pair, sb_sink *out) {
    sb_order order;
    const int status = sb_order_measure(ctx, arena, config, pair, &order);
    if (sb_failure_is_result(status)) {
        return sb_row_failure(&sb_analysis_workprec, pair, 0.0, status, ctx->message, out);
    }
    SB_TRY(status);
    int failed = SB_OK;
    for (int i = 0; i < order.n; i++) {
        const sb_order_level *level = &order.levels[i];
        sb_work work;
        if (level->failure != NULL) {
            SB_TRY(sb_row_failure(&sb_analysis_workprec, pair, level->h, SB_OK, level->failure, out));
            failed = level->why;
            continue;
        }
        SB_TRY(sb_work_measure(ctx, pair, level->h, level->steps, &work));
        SB_TRY(write_level(pair, &order, level, &work, out));
    }
    return failed;
}

static int run(sb_context *ctx, const void *config, const sb_pair *pair, sb_sink *out) {
    sb_arena arena;
    sb_arena_init(&arena, ctx);
    const int status = write_rows(ctx, &arena, config, pair, out);
    sb_arena_free(&arena);
    return status;
}

static const sb_param params[] = {SB_ORDER_PARAMS(sb_order_config, "8"), {0}};

static const sb_column columns[COLUMNS] = {
    {"problem", SB_COL_KEY, "", "the problem"},
    {"stepper", SB_COL_KEY, "", "the stepper"},
    {"h", SB_COL_KEY, "s", "step"},
    {"steps", SB_COL_INFO, "", "steps taken"},
    {"err_q", SB_COL_ERROR, "", "largest 2-norm of the position error over the multiples of the largest step"},
    {"err_v", SB_COL_ERROR, "", "the same of the reported velocity"},
    {"err_lambda", SB_COL_ERROR, "", "the same of the reported multipliers; empty without constraints, or where the method has none"},
    {"err_energy", SB_COL_ERROR, "J", "the same of the energy of the reported state"},
    {"err_relative", SB_COL_ERROR, "", "err_q over the largest |q| of the reference"},
    {"evaluations", SB_COL_EXACT, "", "evaluations of the problem's terms in all steps: the sum of force, jacobian, constraint and mass"},
    {"force", SB_COL_EXACT, "", "evaluations of V_q and f, together one"},
    {"jacobian", SB_COL_EXACT, "", "evaluations of a second derivative: of V, T, f, or of the constraints"},
    {"constraint", SB_COL_EXACT, "", "evaluations of g, G or A"},
    {"mass", SB_COL_EXACT, "", "evaluations of M(q)"},
    {"factor", SB_COL_EXACT, "", "factorizations of a saddle system or a Schur complement"},
    {"iters", SB_COL_EXACT, "", "Newton iterations"},
    {"status", SB_COL_INFO, "", "ok, plateau (err_q within 10 times its round-off or the reference's error), or why there is no result"}};

const sb_analysis sb_analysis_workprec = {
    .entry = {"workprec", "error against evaluations, factorizations and iterations: the points of a work-precision diagram", "hnw93 II.10", params,
              sizeof(sb_order_config)},
    .ncolumns = COLUMNS,
    .columns = columns,
    .check = sb_order_check,
    .run = run};
