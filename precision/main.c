/* The programs stepbench_quad and stepbench_single: the main program of stepbench, compiled in binary128 and in float,
 * with the commands that have an answer in them. */
#include <stdlib.h>
#include <string.h>

#include <sb_build_info.h>

#include "bench/cli/arithmetic.h"
#include "bench/engine/engine.h"
#include "core/output/provenance.h"
#include "core/run/build.h"
#include "core/run/register.h"
#include "integrators/register.h"
#include "precision/precision.h"
#include "problems/register.h"

const cli_command *const cli_commands[] = {&precision_run, &precision_order,
#ifdef SB_QUAD
                                           &cli_reference, &cli_roundoff,
#endif
                                           NULL};
const char cli_call[] = "stepbench --precision=" PRECISION_NAME, cli_no_command[] = PRECISION_WORDS " has no command";
const char sb_version[] = SB_VERSION;

/* These precisions have dense kernels of their own. */
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

int cli_precision(cli *me, const char *precision, const char *command, int argc, char *const *argv) {
    return strcmp(precision, PRECISION_NAME) == 0
               ? cli_run_named(me, command, false, argc, argv)
               : sb_fail(me->ctx, SB_BAD_USAGE, "--precision=%s: this program computes in " PRECISION_WORDS, precision);
}

int cli_sink(cli *me, const char *const *comments, sb_sink **out) {
    sb_sink *inner;
    if (!cli_given(me, "format")) {
        SB_TRY(sb_rows_check_ending(me->ctx, me->command.entry->name, me->output));
    }
    SB_TRY(sb_sink_open(me->ctx, me->arena, me->format, me->output, comments, &inner));
    return sb_rows_form(me->ctx, me->arena, &me->shared.rows, me->format, inner, out);
}

sb_cell precision_cell(sb_scalar x) {
    char text[SB_SCALAR_TEXT];
    if (!isfinite(x)) {
        return sb_empty();
    }
    sb_format_scalar(x, text);
    return sb_real(strtod(text, NULL));
}

/* Rounds every number of a configuration. */
static void round_config(const sb_spec *spec, precision_rounding rounding) {
    for (const sb_param *p = spec->entry->params; p != NULL && p->name != NULL; p++) {
        void *at = (char *)spec->config + p->offset;
        if (p->type == SB_REAL) {
            *(sb_scalar *)at = rounding(*(sb_scalar *)at);
        }
        for (int i = 0; p->type == SB_REALS && i < ((sb_reals *)at)->n; i++) {
            ((sb_reals *)at)->x[i] = rounding(((sb_reals *)at)->x[i]);
        }
    }
}

int precision_begin(cli *me, precision_rounding rounding, precision_call *out) {
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
        return sb_fail(me->ctx, SB_BAD_USAGE, "%s in " PRECISION_WORDS " takes one problem%s", name,
                       stepper ? " and one stepper" : "");
    }
    *out = (precision_call){.me = me,
                            .ctx = me->ctx,
                            .arena = me->arena,
                            .config = me->config,
                            .spec = me->problems.list[0],
                            .problem = me->problems.list[0].text,
                            .stepper = stepper ? me->steppers.list[0].text : NULL,
                            .formulations = me->formulations};
    if (rounding != NULL) {
        round_config(&out->spec, rounding);
        for (int i = 0; i < out->formulations.count; i++) {
            round_config(&out->formulations.list[i], rounding);
        }
    }
    return sb_system_make(me->ctx, me->arena, &out->spec, &out->formulations, &out->sys);
}
