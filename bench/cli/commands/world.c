/* `stepbench world`: writes a mechanism in maximal coordinates as data. */
#include "bench/engine/world.h"
#include "bench/cli/cli.h"
#include "core/output/sink.h"
#include "core/run/build.h"

typedef struct world_options {
    int format;
} world_options;

static const sb_param world_params[] = {
    SB_PARAM_CHOICE(world_options, format, "json", "json|mjcf",
                    "json, or mjcf of MuJoCo, for worlds of bodies on revolute and spherical joints"),
    {0},
};

static int run_world(cli *me) {
    static const sb_specs unchanged = {0};
    sb_specs problem;
    sb_system sys;
    sb_world_start start;
    sb_outfile file;
    if (me->words.count != 1) {
        return sb_fail(me->ctx, SB_BAD_USAGE, "world takes one problem: stepbench world PROBLEM");
    }
    SB_TRY(sb_specs_parse(me->ctx, me->arena, SB_KIND_PROBLEM, 1, me->words.list, &problem));
    if (problem.count != 1) {
        return sb_fail(me->ctx, SB_BAD_USAGE, "world takes one problem, and %s are %d", me->words.list[0],
                       problem.count);
    }
    SB_TRY(sb_system_make(me->ctx, me->arena, &problem.list[0], &unchanged, &sys));
    SB_TRY(sb_world_start_new(me->ctx, me->arena, &sys, &start));
    SB_TRY(sb_outfile_open(me->ctx, me->arena, me->output, &file));
    if (((const world_options *)me->config)->format == 1) {
        return sb_outfile_close(&file, sb_world_write_mjcf(me->arena, &start, file.stream));
    }
    sb_world_write_json(&start, true, file.stream);
    return sb_outfile_close(&file, SB_OK);
}

const cli_command cli_world = {
    &(const sb_entry){.name = "world",
                      .brief = "Writes a mechanism in maximal coordinates as data: its bodies, joints, springs, "
                               "drivers and forces, and the state at the start",
                      .ref = "",
                      .params = world_params,
                      .config_size = sizeof(world_options)},
    "stepbench world PROBLEM [--format json|mjcf] [-o FILE]",
    CLI_WORDS | CLI_OUTPUT,
    run_world,
    NULL,
    "stepbench world bricard",
};
