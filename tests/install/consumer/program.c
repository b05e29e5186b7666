/* Uses the installed library without its registry: a linear system through the public interface. */
#include <stdio.h>

#include <stepbench/numerics/linear.h>
#include <stepbench/stepbench.h>

extern const sb_solver sb_solver_dense;

int main(void) {
    sb_context ctx;
    sb_arena arena;
    sb_pattern pattern;
    sb_linear linear;
    double b[2] = {5.0, 10.0};
    sb_context_init(&ctx);
    sb_arena_init(&arena, &ctx);
    int status = sb_pattern_full(&arena, 2, 2, &pattern);
    status = status == SB_OK ? sb_linear_init(&ctx, &arena, &sb_solver_dense, &pattern, 2, 2, &linear) : status;
    status = status == SB_OK ? linear.type->factor(&linear, (const double[]){2.0, 1.0, 1.0, 3.0}) : status;
    status = status == SB_OK ? linear.type->solve(&linear, b) : status;
    printf("%s: %g %g\n", sb_status_text(status), b[0], b[1]);
    sb_arena_free(&arena);
    return status != SB_OK;
}
