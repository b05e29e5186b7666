/* `stepbench import`: writes a model of a robot as the description of a mechanism. */
#include <string.h>

#include "bench/cli/cli.h"
#include "bench/import/model.h"
#include "core/output/sink.h"

typedef struct import_options {
    const char *key;
    int root;
} import_options;

static const sb_param import_params[] = {
    SB_PARAM_TEXT(import_options, key, "",
                  "MJCF: the keyframe at which the motion starts; empty: the pose of the file"),
    SB_PARAM_CHOICE(import_options, root, "fixed", "fixed|free",
                    "URDF: whether links without a parent are fixed to the ground or move freely"),
    {0},
};

static int read_model(const xml_file *file, const import_options *options, model *out) {
    if (strcmp(file->root->name, "mujoco") == 0) {
        return sb_import_mjcf(file, options->key, out);
    }
    return strcmp(file->root->name, "robot") == 0
               ? sb_import_urdf(file, options->root == 1, out)
               : sb_xml_fail(file, file->root, "it is neither <mujoco>, MJCF, nor <robot>, URDF");
}

static int run_import(cli *me) {
    xml_file file;
    model read;
    sb_outfile out;
    if (me->words.count != 1) {
        return sb_fail(me->ctx, SB_BAD_USAGE, "import takes one file: stepbench import ROBOT.xml -o ROBOT.json");
    }
    SB_TRY(sb_xml_read(me->ctx, me->arena, me->words.list[0], &file));
    SB_TRY(read_model(&file, me->config, &read));
    SB_TRY(sb_outfile_open(me->ctx, me->arena, me->output, &out));
    return sb_outfile_close(&out, sb_model_write(&read, out.stream));
}

const cli_command cli_import = {
    &(const sb_entry){.name = "import",
                      .brief =
                          "Writes a model in MJCF or URDF as the description of a mechanism, and on standard error "
                          "what it leaves out, line by line",
                      .ref = "",
                      .params = import_params,
                      .config_size = sizeof(import_options)},
    "stepbench import FILE [--key NAME] [--root fixed|free] [-o FILE]",
    CLI_WORDS | CLI_OUTPUT,
    run_import,
    NULL,
    "stepbench import robot.xml -o robot.json",
};
