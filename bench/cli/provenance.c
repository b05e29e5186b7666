/* Writes where a result of the command line comes from: comments at its head, and a JSON file beside it. */
#include "bench/cli/provenance.h"

#include <string.h>
#include <sys/stat.h>

#include "analysis/row.h"
#include "core/base/params.h"
#include "core/base/text.h"
#include "core/output/provenance.h"

/* Returns whether the specification came from the same glob as the one before it: a glob is written once. */
static bool repeats(const sb_specs *specs, int i) {
    return i > 0 && specs->list[i].glob != NULL && specs->list[i].glob == specs->list[i - 1].glob;
}

/* Appends " --plugin FILE" for every plug-in to a line. */
static int append_plugins(cli *me, char **line) {
    for (int i = 0; i < me->registry->nplugins; i++) {
        SB_PRINT(me->arena, *line, "%s --plugin %s", *line, me->registry->plugins[i].path);
    }
    return SB_OK;
}

/* Appends " FLAG SPEC" for every specification to a line. */
static int append_specs(cli *me, const char *flag, const sb_specs *specs, char **line) {
    for (int i = 0; i < specs->count; i++) {
        const sb_spec *spec = &specs->list[i];
        const char *full = spec->glob != NULL ? spec->glob : sb_spec_resolved(me->arena, spec);
        if (full == NULL) {
            return SB_NO_MEMORY;
        }
        if (!repeats(specs, i)) {
            SB_PRINT(me->arena, *line, "%s %s %s", *line, flag, full);
        }
    }
    return SB_OK;
}

int cli_comments(cli *me, const char *const **comments) {
    char *version, *command;
    const char **lines;
    SB_PRINT(me->arena, version, "stepbench %s", sb_version);
    SB_PRINT(me->arena, command, "%s", me->entry->name);
    SB_TRY(append_plugins(me, &command));
    SB_TRY(append_specs(me, "-p", &me->problems, &command));
    SB_TRY(append_specs(me, "-w", &me->formulations, &command));
    SB_TRY(append_specs(me, "-s", &me->steppers, &command));
    for (const sb_param *p = me->entry->params; p != NULL && p->name != NULL; p++) {
        if (me->given[p - me->entry->params]) {
            char option[CLI_OPTION_SIZE];
            const char *value = sb_param_format(me->arena, p, me->config);
            if (value == NULL) {
                return SB_NO_MEMORY;
            }
            cli_option(p->name, option);
            SB_PRINT(me->arena, command, "%s %s=%s", command, option, value);
        }
    }
    SB_NEW(me->arena, lines, 3);
    lines[0] = version;
    lines[1] = command;
    *comments = lines;
    return SB_OK;
}

/* The options of the command, and --seconds where it limits the pairs. */
static json_t *options_value(const cli *me) {
    json_t *options = sb_provenance_config(me->entry, me->config);
    if (options != NULL && me->seconds > 0 &&
        json_object_set_new(options, "seconds", json_integer((json_int_t)me->seconds)) != 0) {
        json_decref(options);
        return NULL;
    }
    return options;
}

/* Appends `item` (stolen) to `array`. Returns the array, or NULL after releasing it when there is no memory. */
static json_t *appended(json_t *array, json_t *item) {
    if (array != NULL && json_array_append_new(array, item) != 0) {
        json_decref(array);
        return NULL;
    }
    return array;
}

/* [{"name": ..., "parameters": {...}}, ...], with "glob" where the name matched one. */
static json_t *specs_value(const sb_specs *specs) {
    json_t *array = json_array();
    for (int i = 0; array != NULL && i < specs->count; i++) {
        const sb_spec *spec = &specs->list[i];
        array = appended(array, json_pack("{s:s, s:o, s:s*}", "name", spec->entry->name, "parameters",
                                          sb_provenance_config(spec->entry, spec->config), "glob", spec->glob));
    }
    return array;
}

/* [{"file": ..., "sha256": ...}, ...] */
static json_t *plugins_value(const sb_registry *registry) {
    json_t *array = json_array();
    for (int i = 0; array != NULL && i < registry->nplugins; i++) {
        const sb_loaded *plugin = &registry->plugins[i];
        array = appended(array, json_pack("{s:s, s:s}", "file", plugin->path, "sha256", plugin->sha256));
    }
    return array;
}

int cli_write_provenance(cli *me) {
    struct stat info;
    if (me->output == NULL || (stat(me->output, &info) == 0 && !S_ISREG(info.st_mode))) {
        return SB_OK;
    }
    char *path;
    SB_PRINT(me->arena, path, "%s.provenance.json", me->output);
    json_t *command = json_pack("{s:s, s:o, s:o, s:o, s:o, s:o}", "name", me->entry->name, "options", options_value(me),
                                "problems", specs_value(&me->problems), "formulations", specs_value(&me->formulations),
                                "steppers", specs_value(&me->steppers), "plugins", plugins_value(me->registry));
    json_t *object = sb_provenance_new();
    if (object == NULL || json_object_set_new(object, "command", command) != 0) {
        json_decref(object);
        object = NULL;
    }
    return sb_provenance_write(me->ctx, object, path);
}

int cli_finish(cli *me, sb_sink *sink, int status) {
    char message[SB_MESSAGE_MAX];
    memcpy(message, me->ctx->message, sizeof message);
    if (status != SB_OK && status != SB_INTERRUPTED && !sb_failure_is_result(status)) {
        sink->abandon(sink);
    } else {
        SB_TRY(sink->end(sink));
        SB_TRY(cli_write_provenance(me));
    }
    memcpy(me->ctx->message, message, sizeof message);
    return status;
}
