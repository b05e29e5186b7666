/* The command line's words: options from a parameter table, -p -w -s -o. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "bench/cli/cli.h"
#include "core/base/params.h"

enum { OPTIONS_MAX = 64, OPTION_LENGTH = 72 };

static int push(cli *me, cli_words *words, const char *word) {
    const char **grown;
    SB_NEW(me->arena, grown, words->count + 1);
    if (words->count > 0) {
        memcpy(grown, words->list, (size_t)words->count * sizeof *grown);
    }
    grown[words->count++] = word;
    words->list = grown;
    return SB_OK;
}

/* t_end -> --t-end */
static void option_name(const char *name, char out[OPTION_LENGTH]) {
    snprintf(out, OPTION_LENGTH, "--%s", name);
    for (char *c = out; *c != '\0'; c++) {
        *c = *c == '_' ? '-' : *c;
    }
}

static int unknown_option(cli *me, unsigned takes, const char *option) {
    char names[OPTIONS_MAX][OPTION_LENGTH], near[256];
    const char *list[OPTIONS_MAX];
    int count = 0;
    for (const sb_param *p = me->entry->params; p != NULL && p->name != NULL && count < OPTIONS_MAX - 4; p++) {
        option_name(p->name, names[count++]);
    }
    snprintf(names[count++], OPTION_LENGTH, "--help");
    snprintf(names[count++], OPTION_LENGTH, "--plugin");
    if ((takes & CLI_OUTPUT) != 0) {
        snprintf(names[count++], OPTION_LENGTH, "--format");
    }
    if ((takes & CLI_JOBS) != 0) {
        snprintf(names[count++], OPTION_LENGTH, "--jobs");
    }
    for (int i = 0; i < count; i++) {
        list[i] = names[i];
    }
    sb_nearest_names(option, count, list, near, sizeof near);
    return sb_fail(me->ctx, SB_BAD_USAGE, "%s has no option %s; %s%s%s`stepbench %s --help` names them all",
                   me->entry->name, option, near[0] != '\0' ? "nearest: " : "", near, near[0] != '\0' ? "; " : "",
                   me->entry->name);
}

static const sb_param format_param[] = {
    {"format", SB_CHOICE, 0, "csv", 0, 0, SB_CLOSED, SB_FORMAT_CHOICES, "", "how rows are written"},
    {0},
};

static const sb_param jobs_param[] = {
    {"jobs", SB_INT, 0, "0", 0.0, 1024.0, SB_CLOSED, NULL, "", "pairs at a time; 0: one a processor"},
    {0},
};

static int given_twice(cli *me, const char *option) {
    return sb_fail(me->ctx, SB_BAD_USAGE, "%s is given twice", option);
}

static int set_format(cli *me, const char *value) {
    if (me->format_given) {
        return given_twice(me, "--format");
    }
    me->format_given = true;
    const sb_entry entry = {.name = me->entry->name, .params = format_param, .config_size = sizeof(int)};
    int format = 0;
    SB_TRY(sb_config_set(me->ctx, me->arena, &entry, "format", value, &format));
    me->format = (sb_format)format;
    return SB_OK;
}

static int set_jobs(cli *me, const char *value) {
    if (me->jobs_given) {
        return given_twice(me, "--jobs");
    }
    me->jobs_given = true;
    const sb_entry entry = {.name = me->entry->name, .params = jobs_param, .config_size = sizeof(long)};
    return sb_config_set(me->ctx, me->arena, &entry, "jobs", value, &me->jobs);
}

/* The value of an option: behind its '=', or the next word. */
static int take_value(cli *me, const char *option, const char *equals, int argc, char *const *argv, int *at,
                      const char **value) {
    if (equals != NULL) {
        *value = equals + 1;
        return SB_OK;
    }
    if (*at + 1 >= argc) {
        return sb_fail(me->ctx, SB_BAD_USAGE, "%s needs a value", option);
    }
    *value = argv[++*at];
    return SB_OK;
}

static int short_option(cli *me, unsigned takes, int argc, char *const *argv, int *at) {
    static const struct {
        char letter;
        unsigned flag;
    } letters[] = {{'p', CLI_PROBLEMS}, {'w', CLI_FORMULATIONS}, {'s', CLI_STEPPERS}, {'o', CLI_OUTPUT}};
    const char *word = argv[*at];
    for (size_t i = 0; i < sizeof letters / sizeof letters[0]; i++) {
        if (word[1] != letters[i].letter || (takes & letters[i].flag) == 0) {
            continue;
        }
        const char *value = NULL;
        SB_TRY(take_value(me, word, word[2] != '\0' ? word + 1 : NULL, argc, argv, at, &value));
        switch (letters[i].flag) {
        case CLI_PROBLEMS:
            return push(me, &me->texts[0], value);
        case CLI_FORMULATIONS:
            return push(me, &me->texts[1], value);
        case CLI_STEPPERS:
            return push(me, &me->texts[2], value);
        default:
            if (me->output_given) {
                return given_twice(me, "-o");
            }
            me->output_given = true;
            me->output = strcmp(value, "-") == 0 ? NULL : value;
            return value[0] != '\0' ? SB_OK : sb_fail(me->ctx, SB_BAD_USAGE, "-o needs a file's name");
        }
    }
    return unknown_option(me, takes, word);
}

static int table_option(cli *me, unsigned takes, const char *name, const char *equals, int argc, char *const *argv,
                        int *at, bool *given) {
    char key[OPTION_LENGTH];
    snprintf(key, sizeof key, "%s", name + 2);
    for (char *c = key; *c != '\0'; c++) {
        *c = *c == '-' ? '_' : *c;
    }
    for (const sb_param *p = me->entry->params; p != NULL && p->name != NULL; p++) {
        if (strcmp(p->name, key) != 0) {
            continue;
        }
        const char *value = "yes";
        if (!sb_param_is_switch(p) || equals != NULL) {
            SB_TRY(take_value(me, name, equals, argc, argv, at, &value));
        }
        if (given[p - me->entry->params]) {
            return given_twice(me, name);
        }
        given[p - me->entry->params] = true;
        const sb_param shown[] = {
            {name, p->type, p->offset, p->initial, p->lo, p->hi, p->ends, p->choices, p->unit, p->doc}, {.name = NULL}};
        const sb_entry entry = {.name = me->entry->name,
                                .params = shown,
                                .config_size = me->entry->config_size}; /* what is said of it is said of the option */
        return sb_config_set(me->ctx, me->arena, &entry, name, value, me->config);
    }
    return unknown_option(me, takes, name);
}

static int long_option(cli *me, unsigned takes, int argc, char *const *argv, int *at, bool *given) {
    char name[OPTION_LENGTH];
    const char *equals = strchr(argv[*at], '=');
    snprintf(name, sizeof name, "%.*s", equals != NULL ? (int)(equals - argv[*at]) : OPTION_LENGTH - 1, argv[*at]);
    if (strcmp(name, "--help") == 0) {
        me->help = true;
        return SB_OK;
    }
    if (strcmp(name, "--plugin") == 0) { /* loaded before the command was looked up */
        const char *path = NULL;
        return take_value(me, name, equals, argc, argv, at, &path);
    }
    if (strcmp(name, "--format") == 0 && (takes & CLI_OUTPUT) != 0) {
        const char *value = NULL;
        SB_TRY(take_value(me, name, equals, argc, argv, at, &value));
        return set_format(me, value);
    }
    if (strcmp(name, "--jobs") == 0 && (takes & CLI_JOBS) != 0) {
        const char *value = NULL;
        SB_TRY(take_value(me, name, equals, argc, argv, at, &value));
        return set_jobs(me, value);
    }
    return table_option(me, takes, name, equals, argc, argv, at, given);
}

static int set_defaults(cli *me, bool **given) {
    int count = 0;
    me->config = sb_alloc(me->arena, 1, me->entry->config_size);
    if (me->config == NULL) {
        return SB_NO_MEMORY;
    }
    for (const sb_param *p = me->entry->params; p != NULL && p->name != NULL; p++, count++) {
        if (p->initial != NULL) {
            SB_TRY(sb_config_set(me->ctx, me->arena, me->entry, p->name, p->initial, me->config));
        }
    }
    SB_NEW(me->arena, *given, count + 1);
    me->given = *given;
    return SB_OK;
}

static int check_required(cli *me) {
    for (const sb_param *p = me->entry->params; p != NULL && p->name != NULL; p++) {
        if (p->initial == NULL && !me->given[p - me->entry->params]) {
            char option[OPTION_LENGTH];
            option_name(p->name, option);
            return sb_fail(me->ctx, SB_BAD_USAGE, "%s needs %s (%s)", me->entry->name, option, p->doc);
        }
    }
    return SB_OK;
}

/* Where --format doesn't say: by the ending of the file's name, CSV for others; on a terminal a table. */
static sb_format usual_format(const cli *me) {
    static const struct {
        const char *ending;
        sb_format format;
    } endings[] = {
        {".npy", SB_FORMAT_NPY}, {".json", SB_FORMAT_JSON}, {".md", SB_FORMAT_MD}, {".tex", SB_FORMAT_LATEX}};
    if (me->output == NULL) {
        return me->rows == NULL && isatty(STDOUT_FILENO) ? SB_FORMAT_TABLE : SB_FORMAT_CSV;
    }
    const char *ending = strrchr(me->output, '.');
    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++) {
        if (ending != NULL && strcmp(ending, endings[i].ending) == 0) {
            return endings[i].format;
        }
    }
    return SB_FORMAT_CSV;
}

static int parse_specs(cli *me, sb_kind kind, const cli_words *texts, sb_specs *out) {
    return sb_specs_parse(me->ctx, me->arena, kind, texts->count, texts->list, out);
}

int cli_parse(cli *me, unsigned takes, int argc, char *const *argv) {
    bool *given = NULL;
    SB_TRY(set_defaults(me, &given));
    for (int i = 0; i < argc; i++) {
        if (strcmp(argv[i], "--") == 0 &&
            (takes & CLI_WORDS) != 0) { /* what follows are words, whatever they look like */
            while (++i < argc) {
                SB_TRY(push(me, &me->words, argv[i]));
            }
        } else if (strncmp(argv[i], "--", 2) == 0) {
            SB_TRY(long_option(me, takes, argc, argv, &i, given));
        } else if (argv[i][0] == '-' && argv[i][1] == 'h' && argv[i][2] == '\0') {
            me->help = true;
        } else if (argv[i][0] == '-' && argv[i][1] != '\0') {
            SB_TRY(short_option(me, takes, argc, argv, &i));
        } else if ((takes & CLI_WORDS) != 0) {
            SB_TRY(push(me, &me->words, argv[i]));
        } else {
            return sb_fail(me->ctx, SB_BAD_USAGE,
                           "%s takes no argument \"%s\"; `stepbench %s --help` shows how it is called", me->entry->name,
                           argv[i], me->entry->name);
        }
    }
    if (!me->format_given) {
        me->format = usual_format(me);
    }
    if (me->format == SB_FORMAT_NPY && me->output == NULL && isatty(STDOUT_FILENO)) {
        return sb_fail(me->ctx, SB_BAD_USAGE, "format=npy is no text for a terminal; add -o FILE");
    }
    if (me->help) {
        return SB_OK;
    }
    SB_TRY(check_required(me));
    SB_TRY(parse_specs(me, SB_KIND_PROBLEM, &me->texts[0], &me->problems));
    SB_TRY(parse_specs(me, SB_KIND_FORMULATION, &me->texts[1], &me->formulations));
    return parse_specs(me, SB_KIND_STEPPER, &me->texts[2], &me->steppers);
}

bool cli_given(const cli *me, const char *param) {
    return me->given[sb_param_find(me->entry, param) - me->entry->params];
}

int cli_sink(cli *me, const char *const *comments, sb_sink **out) {
    if (me->rows != NULL && me->output == NULL) {
        *out = me->rows;
        return SB_OK;
    }
    return sb_sink_open(me->ctx, me->arena, me->format, me->output, comments, out);
}
