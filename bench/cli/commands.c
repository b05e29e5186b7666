/* The commands of the program, and what it registers. */
#include <gsl/gsl_errno.h>
#include <stdlib.h>

#include "bench/cli/cli.h"
#include "bench/runner/registry.h"
#include "core/base/blas.h"

const cli_command *const cli_commands[] = {&cli_list,  &cli_show,    &cli_run,       &cli_animate,  &cli_bench,
                                           &cli_study, &cli_compare, &cli_card,      &cli_check,    &cli_judge,
                                           &cli_world, &cli_import,  &cli_reference, &cli_roundoff, &cli_cite,
                                           &cli_new,   &cli_man,     &cli_complete,  NULL};

const char cli_call[] = "stepbench", cli_no_command[] = "no command and no analysis is named";

void cli_libraries(void) {
    if (getenv("OPENBLAS_NUM_THREADS") == NULL) {
        const sb_blas blas = sb_blas_loaded();
        if (blas.set_threads != NULL) {
            blas.set_threads(1);
        }
    }
    gsl_set_error_handler_off(); /* the default handler aborts; the status of every call is checked */
}

int cli_register(sb_registry *registry, sb_context *ctx) {
    SB_TRY(sb_registry_init(registry, ctx));
    return sb_register_builtins(registry);
}
