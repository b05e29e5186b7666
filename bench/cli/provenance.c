/* Writes the provenance of a result: comments at the head of a CSV file, and a JSON file beside the result. */
#include "bench/cli/provenance.h"

#include <sha2.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "analysis/row.h"
#include "core/base/escape.h"
#include "core/base/params.h"
#include "core/base/text.h"
#include "core/output/provenance.h"

/* Returns whether the specification is of the same glob as the one before it; a glob is written once. */
static bool repeats(const sb_specs *specs, int i) {
    return i > 0 && specs->list[i].glob != NULL && specs->list[i].glob == specs->list[i - 1].glob;
}

/* Writes " --plugin FILE" or " --engine COMMAND" for all that was loaded. */
static void write_plugins(const cli *me, FILE *to) {
    for (int i = 0; i < me->registry->nplugins; i++) {
        const sb_loaded *loaded = &me->registry->plugins[i];
        const char *quote = loaded->engine != NULL ? "'" : "";
        fprintf(to, " --%s %s%s%s", loaded->engine != NULL ? "engine" : "plugin", quote, loaded->path, quote);
    }
}

/* Writes " FLAG SPEC" for every specification. */
static int write_specs(cli *me, const char *flag, const sb_specs *specs, FILE *to) {
    for (int i = 0; i < specs->count; i++) {
        SB_SCRATCH(scratch, me->ctx);
        const sb_spec *spec = &specs->list[i];
        const char *full = spec->glob != NULL ? spec->glob : sb_spec_resolved(&scratch, spec);
        if (full == NULL) {
            return SB_NO_MEMORY;
        }
        if (!repeats(specs, i)) {
            fprintf(to, " %s %s", flag, full);
        }
    }
    return SB_OK;
}

/* Writes " --name=value" for every option on the command line that changes the rows. */
static int write_options(cli *me, FILE *to) {
    for (const cli_option *o = me->options; o->param != NULL; o++) {
        if (o->given && !o->presentation) {
            const char *value =
                sb_param_format(me->arena, o->param, o->shared ? (const void *)&me->shared : me->config);
            value = value != NULL ? sb_escaped(me->arena, SB_SHELL, value) : NULL;
            if (value == NULL) {
                return SB_NO_MEMORY;
            }
            fprintf(to, " %s=%s", o->name, value);
        }
    }
    return SB_OK;
}

static int write_command(cli *me, FILE *to) {
    fputs(me->command.entry->name, to);
    write_plugins(me, to);
    SB_TRY(write_specs(me, "-p", &me->problems, to));
    SB_TRY(write_specs(me, "-w", &me->formulations, to));
    SB_TRY(write_specs(me, "-s", &me->steppers, to));
    return write_options(me, to);
}

/* Sets *out to the command with every parameter, in the arena. */
static int command_line(cli *me, char **out) {
    size_t size = 0;
    FILE *to = open_memstream(out, &size);
    SB_TRY(to != NULL ? SB_OK : SB_NO_MEMORY);
    const int status = write_command(me, to);
    const bool whole = ferror(to) == 0;
    SB_TRY(fclose(to) == 0 && whole ? sb_arena_own(me->arena, *out, free) : SB_NO_MEMORY);
    return status;
}

int cli_comments(cli *me, const char *const **comments) {
    char *version, *command;
    const char **lines;
    SB_PRINT(me->arena, version, "stepbench %s", sb_version);
    SB_TRY(command_line(me, &command));
    SB_NEW(me->arena, lines, 3 + me->nmeasured);
    lines[0] = version;
    lines[1] = command;
    for (int i = 0; i < me->nmeasured; i++) {
        lines[2 + i] = me->measured[i];
    }
    *comments = lines;
    return SB_OK;
}

/* Returns the options of the command, and the shared options on its command line. */
static json_t *options_value(const cli *me) {
    json_t *options = sb_provenance_config(me->command.entry, me->config);
    for (const cli_option *o = me->options; o->param != NULL && options != NULL; o++) {
        if (!o->shared || !o->given || o->presentation) {
            continue;
        }
        const sb_param row[] = {*o->param, {0}};
        const sb_entry entry = {.params = row};
        json_t *value = sb_provenance_config(&entry, &me->shared);
        if (json_object_update(options, value) != 0) {
            json_decref(options);
            options = NULL;
        }
        json_decref(value);
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

/* [{"file": ..., "sha256": ...}, {"engine": NAME VERSION, "command": ...}, ...] */
static json_t *plugins_value(const sb_registry *registry) {
    json_t *array = json_array();
    for (int i = 0; array != NULL && i < registry->nplugins; i++) {
        const sb_loaded *plugin = &registry->plugins[i];
        const bool engine = plugin->engine != NULL;
        array =
            appended(array, json_pack("{s:s, s:s}", engine ? "engine" : "file", engine ? plugin->engine : plugin->path,
                                      engine ? "command" : "sha256", engine ? plugin->path : plugin->sha256));
    }
    return array;
}

/* Appends {"file": ..., "sha256": ...} for every parameter that names a file. */
static json_t *append_files(json_t *array, const sb_param *params, const void *config) {
    for (const sb_param *p = params; array != NULL && p != NULL && p->name != NULL; p++) {
        const char *value = p->type == SB_TEXT ? *(const char *const *)((const char *)config + p->offset) : NULL;
        char sha256[SB_SHA256_SIZE];
        struct stat info;
        if (value != NULL && strchr(value, '.') != NULL && stat(value, &info) == 0 && S_ISREG(info.st_mode) &&
            SHA256File(value, sha256) != NULL) {
            array = appended(array, json_pack("{s:s, s:s}", "file", value, "sha256", sha256));
        }
    }
    return array;
}

/* Returns the files that the specifications and options read. */
static json_t *files_value(const cli *me) {
    const sb_specs *const all[] = {&me->problems, &me->formulations, &me->steppers};
    json_t *array = append_files(json_array(), me->command.entry->params, me->config);
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        for (int i = 0; i < all[k]->count; i++) {
            array = append_files(array, all[k]->list[i].entry->params, all[k]->list[i].config);
        }
    }
    return array;
}

/* ["PROBLEM: --OPTION=VALUE, measured", ...]; NULL if nothing was measured. */
static json_t *measured_value(const cli *me) {
    json_t *array = me->nmeasured > 0 ? json_array() : NULL;
    for (int i = 0; i < me->nmeasured; i++) {
        array = appended(array, json_string(me->measured[i]));
    }
    return array;
}

int cli_write_provenance_to(cli *me, const char *path) {
    json_t *command = json_pack("{s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o*}", "name", me->command.entry->name, "options",
                                options_value(me), "problems", specs_value(&me->problems), "formulations",
                                specs_value(&me->formulations), "steppers", specs_value(&me->steppers), "plugins",
                                plugins_value(me->registry), "files", files_value(me), "measured", measured_value(me));
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
        const int ended = sink->end(sink);
        SB_TRY(sb_failure_is_result(ended) ? SB_OK : ended); /* rows that are not as expected are written */
        if (status == SB_OK && ended != SB_OK) {
            memcpy(message, me->ctx->message, sizeof message);
            status = ended;
        }
        SB_TRY(cli_write_provenance(me));
    }
    memcpy(me->ctx->message, message, sizeof message);
    return status;
}

int cli_write_provenance(cli *me) {
    struct stat info;
    if (me->output == NULL || (stat(me->output, &info) == 0 && !S_ISREG(info.st_mode))) {
        return SB_OK;
    }
    char *path;
    SB_PRINT(me->arena, path, "%s.provenance.json", me->output);
    return cli_write_provenance_to(me, path);
}
