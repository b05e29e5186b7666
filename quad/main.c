/* The program stepbench_quad: the main program of stepbench, compiled in binary128, with the commands that have an
 * answer in it. */
#include <string.h>

#include <sb_build_info.h>

#include "bench/cli/arithmetic.h"
#include "bench/engine/engine.h"
#include "core/output/provenance.h"
#include "core/run/build.h"
#include "core/run/register.h"
#include "integrators/register.h"
#include "problems/register.h"
#include "quad/quad.h"

const cli_command *const cli_commands[] = {&quad_run, &quad_order, &cli_reference, &cli_roundoff, NULL};
const char cli_call[] = "stepbench --precision=quad", cli_no_command[] = "quadruple precision has no command";
const char sb_version[] = SB_VERSION;

/* Binary128 needs no BLAS. */
void cli_pin_arithmetic(char *const *argv) {}
void cli_libraries(void) {}

int cli_register(sb_registry *registry, sb_context *ctx) {
    SB_TRY(sb_registry_init(registry, ctx));
    SB_TRY(sb_register_numerics(registry));
    SB_TRY(sb_register_steppers(registry));
    return sb_register_problems(registry);
}

int cli_load_plugin(sb_context *ctx, sb_registry *registry, const char *file) {
    return sb_registry_load(registry, file);
}

int sb_engine_load(sb_registry *registry, const char *command) {
    return sb_fail(registry->arena.ctx, SB_BAD_USAGE, "--engine=%s: engines compute in double precision", command);
}

/* The registry has no analyses. */
cli_command cli_analysis_command(const sb_entry *analysis) { return (cli_command){.entry = analysis}; }
bool cli_is_analysis(const cli_command *command) { return false; }

int cli_quad(cli *me, const char *command, int argc, char *const *argv) {
    return cli_run_named(me, command, false, argc, argv);
}

int cli_sink(cli *me, const char *const *comments, sb_sink **out) {
    sb_sink *inner;
    if (!cli_given(me, "format")) {
        SB_TRY(sb_rows_check_ending(me->ctx, me->command.entry->name, me->output));
    }
    SB_TRY(sb_sink_open(me->ctx, me->arena, me->format, me->output, comments, &inner));
    return sb_rows_form(me->ctx, me->arena, &me->shared.rows, me->format, inner, out);
}

/* Rounds every number of a configuration to double. */
static void round_config(const sb_spec *spec) {
    for (const sb_param *p = spec->entry->params; p != NULL && p->name != NULL; p++) {
        void *at = (char *)spec->config + p->offset;
        if (p->type == SB_REAL) {
            *(sb_scalar *)at = (double)*(sb_scalar *)at;
        }
        for (int i = 0; p->type == SB_REALS && i < ((sb_reals *)at)->n; i++) {
            ((sb_reals *)at)->x[i] = (double)((sb_reals *)at)->x[i];
        }
    }
}

int quad_begin(cli *me, bool doubles, quad_call *out) {
    const bool word = me->problems.count == 0 && me->words.count == 1,
               stepper = (me->command.takes & (unsigned)CLI_STEPPERS) != 0;
    const char *name = me->command.entry->name;
    if (word) {
        SB_TRY(sb_specs_parse(me->ctx, me->arena, SB_KIND_PROBLEM, 1, me->words.list, &me->problems));
    }
    if (me->problems.count == 0 || (stepper && me->steppers.count == 0)) {
        return sb_fail(me->ctx, SB_BAD_USAGE, "%s needs %s", name,
                       me->problems.count == 0 ? "a problem, -p NAME" : "a stepper, -s NAME");
    }
    if (me->problems.count + (word ? 0 : me->words.count) > 1 || me->steppers.count > 1) {
        return sb_fail(me->ctx, SB_BAD_USAGE, "%s in quadruple precision takes one problem%s", name,
                       stepper ? " and one stepper" : "");
    }
    *out = (quad_call){.me = me,
                       .ctx = me->ctx,
                       .arena = me->arena,
                       .config = me->config,
                       .spec = me->problems.list[0],
                       .problem = me->problems.list[0].text,
                       .stepper = stepper ? me->steppers.list[0].text : NULL,
                       .formulations = me->formulations};
    if (doubles) {
        round_config(&out->spec);
        for (int i = 0; i < out->formulations.count; i++) {
            round_config(&out->formulations.list[i]);
        }
    }
    return sb_system_make(me->ctx, me->arena, &out->spec, &out->formulations, &out->sys);
}
