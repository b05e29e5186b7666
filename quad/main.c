/* Starts stepbench_quad: parses the words of a command, builds the system in quadruple precision and runs the command.
 */
#include <stdio.h>
#include <string.h>

#include "core/base/params.h"
#include "core/run/build.h"
#include "core/run/register.h"
#include "integrators/register.h"
#include "problems/register.h"
#include "quad/quad.h"

static const quad_command *const commands[] = {&quad_run, &quad_order, &quad_reference, &quad_roundoff};
enum { COMMANDS = sizeof commands / sizeof *commands, WORDS_MAX = 64 };

static const quad_command *find_command(sb_context *ctx, const char *word) {
    for (int i = 0; i < COMMANDS; i++) {
        if (strcmp(commands[i]->entry.name, word) == 0) {
            return commands[i];
        }
    }
    sb_fail(ctx, SB_BAD_USAGE, "quadruple precision has no command %s; it has run, order, reference and roundoff",
            word);
    return NULL;
}

/* Removes the words that stepbench adds, --plugin FILE, --in-double FILE and --progress, from the arguments and applies
 * them. */
static int take_added_words(quad_call *call, sb_registry *registry, int *argc, char **argv) {
    int kept = 0;
    SB_NEW(call->arena, call->in_double, *argc);
    for (int i = 0; i < *argc; i++) {
        if (strcmp(argv[i], "--plugin") == 0 && i + 1 < *argc) {
            SB_TRY(sb_registry_load(registry, argv[++i]));
        } else if (strcmp(argv[i], "--in-double") == 0 && i + 1 < *argc) {
            call->in_double[call->nin_double++] = argv[++i];
        } else if (strcmp(argv[i], "--progress") == 0) {
            call->progress = true;
        } else {
            argv[kept++] = argv[i];
        }
    }
    *argc = kept;
    return SB_OK;
}

static const sb_param row_params[] = {SB_ROW_FORMAT_PARAM(quad_call), SB_ROW_FORM_PARAMS(quad_call), {0}};
/* The entry of the options above, for messages; its configuration is the call. */
static const sb_entry row_entry = {"rows", NULL, NULL, row_params, sizeof(quad_call)};

/* Appends ", --name" for each option to a list. */
static void add_names(const sb_param *params, char *known, size_t size) {
    for (const sb_param *p = params; p->name != NULL; p++) {
        char *end = known + strlen(known);
        snprintf(end, size - (size_t)(end - known), ", --%s", p->name);
        for (; *end != '\0'; end++) {
            *end = *end == '_' ? '-' : *end;
        }
    }
}

static int fail_unknown_option(const quad_call *call, const char *word) {
    char known[SB_MESSAGE_MAX / 2] = "";
    add_names(call->command->entry.params, known, sizeof known);
    if (call->command->rows) {
        add_names(row_params, known, sizeof known);
    }
    return sb_fail(call->ctx, SB_BAD_USAGE, "%s in quadruple precision has no option %s; it takes -p, -w%s, -o%s",
                   call->command->entry.name, word, call->command->stepper ? ", -s" : "", known);
}

/* Sets *value to the next word, and advances *at to it. */
static int take_next_word(quad_call *call, int argc, char *const *argv, int *at, const char **value) {
    if (*at + 1 >= argc) {
        return sb_fail(call->ctx, SB_BAD_USAGE, "%s needs a value", argv[*at]);
    }
    *value = argv[++*at];
    return SB_OK;
}

/* Sets the parameter of an option --t-end=3 or --t-end 3, and advances *at past its value. */
static int take_option(quad_call *call, int argc, char *const *argv, int *at) {
    char name[80];
    const char *word = argv[*at] + 2, *equals = strchr(word, '='), *value = equals != NULL ? equals + 1 : NULL;
    snprintf(name, sizeof name, "%.*s", equals != NULL ? (int)(equals - word) : (int)strlen(word), word);
    for (char *c = name; *c != '\0'; c++) {
        *c = *c == '-' ? '_' : *c;
    }
    const bool own = sb_param_find(&call->command->entry, name) != NULL || !call->command->rows;
    const sb_entry *entry = own ? &call->command->entry : &row_entry;
    if (sb_param_find(entry, name) == NULL) {
        return fail_unknown_option(call, argv[*at]);
    }
    SB_TRY(value == NULL ? take_next_word(call, argc, argv, at, &value) : SB_OK);
    call->format_given = call->format_given || strcmp(name, "format") == 0;
    return sb_config_set(call->ctx, call->arena, entry, name, value, own ? call->config : call);
}

/* Sets *text to the value of an option of one letter, attached or the next word. */
static int take_value(quad_call *call, int argc, char *const *argv, int *at, const char **text) {
    *text = argv[*at] + 2;
    return (*text)[0] == '\0' ? take_next_word(call, argc, argv, at, text) : SB_OK;
}

static int parse(quad_call *call, int argc, char *const *argv, int *nformulations, const char **formulations) {
    for (int i = 2; i < argc; i++) {
        const char *word = argv[i];
        if (strncmp(word, "--", 2) == 0) {
            SB_TRY(take_option(call, argc, argv, &i));
        } else if (strncmp(word, "-p", 2) == 0) {
            SB_TRY(take_value(call, argc, argv, &i, &call->problem));
        } else if (strncmp(word, "-s", 2) == 0 && call->command->stepper) {
            SB_TRY(take_value(call, argc, argv, &i, &call->stepper));
        } else if (strncmp(word, "-o", 2) == 0) {
            SB_TRY(take_value(call, argc, argv, &i, &call->output));
        } else if (strncmp(word, "-w", 2) == 0 && *nformulations < WORDS_MAX) {
            SB_TRY(take_value(call, argc, argv, &i, &formulations[(*nformulations)++]));
        } else if (word[0] != '-' && call->problem == NULL) {
            call->problem = word;
        } else {
            return sb_fail(call->ctx, SB_BAD_USAGE, "%s in quadruple precision does not take %s",
                           call->command->entry.name, word);
        }
    }
    if (call->problem == NULL || (call->command->stepper && call->stepper == NULL)) {
        return sb_fail(call->ctx, SB_BAD_USAGE, "%s needs %s", call->command->entry.name,
                       call->problem == NULL ? "a problem, -p NAME" : "a stepper, -s NAME");
    }
    for (const sb_param *p = call->command->entry.params; p->name != NULL; p++) {
        if (p->initial == NULL && *(const sb_scalar *)((const char *)call->config + p->offset) == 0.0) {
            return sb_fail(call->ctx, SB_BAD_USAGE, "%s needs --%s", call->command->entry.name,
                           strcmp(p->name, "t_end") == 0 ? "t-end" : p->name);
        }
    }
    return SB_OK;
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

static int set_defaults(quad_call *call, const sb_entry *entry, void *config) {
    for (const sb_param *p = entry->params; p->name != NULL; p++) {
        if (p->initial != NULL) {
            SB_TRY(sb_config_set(call->ctx, call->arena, entry, p->name, p->initial, config));
        }
    }
    return SB_OK;
}

static int start(quad_call *call, int argc, char *const *argv) {
    const char *formulations[WORDS_MAX];
    int nformulations = 0;
    if (argc < 2) {
        return sb_fail(call->ctx, SB_BAD_USAGE, "stepbench_quad needs a command: run, order, reference or roundoff");
    }
    call->command = find_command(call->ctx, argv[1]);
    if (call->command == NULL) {
        return SB_BAD_USAGE;
    }
    call->config = sb_alloc(call->arena, 1, call->command->entry.config_size);
    if (call->config == NULL) {
        return SB_NO_MEMORY;
    }
    SB_TRY(set_defaults(call, &call->command->entry, call->config));
    SB_TRY(set_defaults(call, &row_entry, call));
    SB_TRY(parse(call, argc, argv, &nformulations, formulations));
    SB_TRY(sb_spec_parse(call->ctx, call->arena, SB_KIND_PROBLEM, call->problem, &call->spec));
    SB_TRY(
        sb_specs_parse(call->ctx, call->arena, SB_KIND_FORMULATION, nformulations, formulations, &call->formulations));
    if (call->command->doubles) {
        round_config(&call->spec);
        for (int i = 0; i < nformulations; i++) {
            round_config(&call->formulations.list[i]);
        }
    }
    SB_TRY(sb_system_make(call->ctx, call->arena, &call->spec, &call->formulations, &call->sys));
    return call->command->run(call);
}

int quad_sink(quad_call *call, sb_sink **out) {
    const char *file = call->output != NULL && strcmp(call->output, "-") != 0 ? call->output : NULL;
    const sb_format format = call->format_given ? (sb_format)call->rows.format : sb_rows_usual_format(file);
    sb_sink *inner;
    SB_TRY(call->format_given ? SB_OK : sb_rows_check_ending(call->ctx, call->command->entry.name, file));
    SB_TRY(sb_sink_open(call->ctx, call->arena, format, file, NULL, &inner));
    return sb_rows_form(call->ctx, call->arena, &call->rows, format, inner, out);
}

int main(int argc, char **argv) {
    sb_context ctx;
    sb_registry registry;
    sb_arena arena;
    sb_context_init(&ctx);
    sb_arena_init(&arena, &ctx);
    quad_call call = {.ctx = &ctx, .arena = &arena};
    int status = sb_registry_init(&registry, &ctx);
    status = status != SB_OK ? status : sb_register_numerics(&registry);
    status = status != SB_OK ? status : sb_register_steppers(&registry);
    status = status != SB_OK ? status : sb_register_problems(&registry);
    status = status != SB_OK ? status : take_added_words(&call, &registry, &argc, argv);
    status = status != SB_OK ? status : start(&call, argc, argv);
    if (status != SB_OK) {
        fprintf(stderr, "stepbench: %s\n", ctx.message[0] != '\0' ? ctx.message : sb_status_text(status));
    }
    sb_arena_free(&arena);
    sb_registry_free(&registry);
    return status > 0 ? 3 : status == SB_OK ? 0 : status == SB_IO || status == SB_NO_MEMORY ? 1 : 2;
}
