/* Parses the words after the name of a command: its options, the shared options, -p, -w, -s and -o. */
#include <stdio.h>
#include <string.h>

#include "bench/cli/label.h"
#include "core/base/grow.h"
#include "core/base/params.h"
#include "core/base/text.h"

/* The words that are parsed. */
typedef struct line {
    int argc, at;
    char *const *argv;
} line;

const cli_spec_option cli_spec_options[] = {
    {"-p", CLI_PROBLEMS, SB_KIND_PROBLEM},
    {"-w", CLI_FORMULATIONS, SB_KIND_FORMULATION},
    {"-s", CLI_STEPPERS, SB_KIND_STEPPER},
};

int cli_early_words(const char *word) {
    const size_t length = strcspn(word, "=");
    const bool loads = strncmp(word, "--plugin", length) == 0 || strncmp(word, "--engine", length) == 0;
    const bool early = (length == 8 && loads) || (length == 11 && strncmp(word, "--precision", length) == 0);
    return !early ? 0 : word[length] == '=' ? 1 : 2;
}

int cli_push(cli *me, cli_words *words, const char *word) {
    const int count = words->count;
    if ((count & (count - 1)) == 0) { /* the list is full: its room is a power of two */
        const int room = count > 0 ? 2 * count : 1;
        const char **grown = sb_grown(me->arena, words->list, (size_t)count, (size_t)room, sizeof *grown);
        SB_TRY(grown != NULL ? SB_OK : SB_NO_MEMORY);
        words->list = grown;
    }
    words->list[words->count++] = word;
    return SB_OK;
}

static int unknown_option(cli *me, const char *option) {
    enum { MOST = 64 };
    char near[256];
    const char *list[MOST] = {"--help", "--plugin", "--engine"}, *command = me->command.entry->name;
    int count = 3;
    for (const cli_option *o = me->options; o->param != NULL && count < MOST; o++) {
        list[count++] = o->name;
    }
    sb_nearest_names(option, count, list, near, sizeof near);
    return sb_fail(me->ctx, SB_BAD_USAGE, "%s has no option %s; %s%s%s`%s %s --help` names them all", command, option,
                   near[0] != '\0' ? "nearest: " : "", near, near[0] != '\0' ? "; " : "", cli_call, command);
}

static int given_twice(cli *me, const char *option) {
    return sb_fail(me->ctx, SB_BAD_USAGE, "%s is given twice", option);
}

/* Takes the value of an option: what is attached to it, or the next word. It may name a file that the command reads,
 * unless the option is -o, --plot or --plot-script. */
static int take_value(cli *me, line *l, const char *option, const char *attached, const char **value) {
    if (attached == NULL && l->at + 1 >= l->argc) {
        return sb_fail(me->ctx, SB_BAD_USAGE, "%s needs a value", option);
    }
    *value = attached != NULL ? attached : l->argv[++l->at];
    const bool output = option[1] == 'o' || strncmp(option, "--plot", 6) == 0;
    return output ? SB_OK : cli_push(me, &me->inputs, *value);
}

static int short_option(cli *me, line *l) {
    const char *word = l->argv[l->at], *value = NULL;
    const bool output = word[1] == 'o' && (me->command.takes & (unsigned)CLI_OUTPUT) != 0;
    int k = 0;
    while (k < CLI_SPEC_OPTIONS && cli_spec_options[k].option[1] != word[1]) {
        k++;
    }
    if (!output && (k == CLI_SPEC_OPTIONS || (me->command.takes & cli_spec_options[k].takes) == 0)) {
        return unknown_option(me, word);
    }
    SB_TRY(take_value(me, l, word, word[2] != '\0' ? word + 2 : NULL, &value));
    if (!output) {
        return cli_push(me, &me->texts[k], value);
    }
    if (me->output_given) {
        return given_twice(me, "-o");
    }
    me->output_given = true;
    me->output = strcmp(value, "-") == 0 ? NULL : value;
    return value[0] != '\0' ? SB_OK : sb_fail(me->ctx, SB_BAD_USAGE, "-o needs a file's name");
}

/* Returns the value of an option that is given without one: "yes" for a switch, and its choice for a text that has one
 * if the word `next` is another option, or NULL, at the end of the line. Returns NULL if the option needs a value. */
static const char *implied_value(const sb_param *p, const char *next) {
    const bool last = next == NULL || next[0] == '-';
    return sb_param_is_switch(p) ? "yes" : p->type == SB_TEXT && p->choices != NULL && last ? p->choices : NULL;
}

static cli_option *find_option(cli_option *list, const char *name) {
    while (list->param != NULL && strcmp(list->name, name) != 0) {
        list++;
    }
    return list->param != NULL ? list : NULL;
}

bool cli_takes_next(const cli *me, const char *command, const char *option, const char *next) {
    cli_command named;
    cli_option *list;
    if (option[0] == '-' && option[1] != '\0' && strchr("opws", option[1]) != NULL) {
        return option[2] == '\0';
    }
    if (!cli_find_command(me, command, &named) || cli_list_options(me->arena, &named, &list) != SB_OK) {
        return false;
    }
    const cli_option *found = find_option(list, option);
    return found != NULL && implied_value(found->param, next) == NULL;
}

/* Sets the value of an option. */
static int set_option(cli *me, cli_option *option, const char *attached, line *l) {
    const char *value = implied_value(option->param, l->at + 1 < l->argc ? l->argv[l->at + 1] : NULL);
    if (value == NULL || attached != NULL) {
        SB_TRY(take_value(me, l, option->name, attached, &value));
    }
    if (option->given && !option->repeats) {
        return given_twice(me, option->name);
    }
    if (option->given) {
        const char *before = *(const char **)((char *)&me->shared + option->param->offset);
        SB_PRINT(me->arena, value, "%s;%s", before, value);
    }
    option->given = true;
    sb_param row[] = {*option->param, {0}}; /* messages name the option */
    row->name = option->name;
    const sb_entry entry = {.name = me->command.entry->name, .params = row};
    return sb_config_set(me->ctx, me->arena, &entry, row->name, value, option->shared ? &me->shared : me->config);
}

static int long_option(cli *me, line *l) {
    char name[CLI_OPTION_SIZE];
    const char *word = l->argv[l->at], *equals = strchr(word, '='), *attached = equals != NULL ? equals + 1 : NULL;
    snprintf(name, sizeof name, "%.*s", equals != NULL ? (int)(equals - word) : CLI_OPTION_SIZE - 1, word);
    if (strcmp(name, "--help") == 0) {
        me->help = true;
        return SB_OK;
    }
    cli_option *option = find_option(me->options, name);
    return option != NULL ? set_option(me, option, attached, l) : unknown_option(me, name);
}

/* Sets the parameters of an entry to their defaults. */
static int set_defaults(cli *me, const sb_entry *entry, void *config) {
    for (const sb_param *p = entry->params; p != NULL && p->name != NULL; p++) {
        if (p->initial != NULL) {
            SB_TRY(sb_config_set(me->ctx, me->arena, entry, p->name, p->initial, config));
        }
    }
    return SB_OK;
}

static int begin_options(cli *me) {
    const sb_entry *own = me->command.entry, shared = {.name = own->name, .params = cli_shared_params};
    SB_TRY(cli_list_options(me->arena, &me->command, &me->options));
    me->config = sb_alloc(me->arena, 1, own->config_size);
    SB_TRY(me->config != NULL ? set_defaults(me, own, me->config) : SB_NO_MEMORY);
    return set_defaults(me, &shared, &me->shared);
}

static int check_required(cli *me) {
    for (const cli_option *o = me->options; o->param != NULL; o++) {
        if (o->param->initial == NULL && !o->given) {
            return sb_fail(me->ctx, SB_BAD_USAGE, "%s needs %s (%s)", me->command.entry->name, o->name, o->param->doc);
        }
    }
    return SB_OK;
}

int cli_parse(cli *me, int argc, char *const *argv) {
    const bool words = (me->command.takes & (unsigned)CLI_WORDS) != 0;
    SB_TRY(begin_options(me));
    for (line l = {argc, 0, argv}; l.at < argc; l.at++) {
        const char *word = argv[l.at];
        if (strcmp(word, "--") == 0 && words) { /* only words follow */
            while (++l.at < argc) {
                SB_TRY(cli_push(me, &me->words, argv[l.at]));
            }
        } else if (strncmp(word, "--", 2) == 0) {
            SB_TRY(long_option(me, &l));
        } else if (strcmp(word, "-h") == 0) {
            me->help = true;
        } else if (word[0] == '-' && word[1] != '\0') {
            SB_TRY(short_option(me, &l));
        } else if (words) {
            SB_TRY(cli_push(me, &me->words, word));
        } else {
            return sb_fail(me->ctx, SB_BAD_USAGE, "%s takes no argument \"%s\"; `%s %s --help` shows how it is called",
                           me->command.entry->name, word, cli_call, me->command.entry->name);
        }
    }
    me->format = cli_given(me, "format")                  ? (sb_format)me->shared.rows.format
                 : me->output == NULL && me->rows != NULL ? SB_FORMAT_CSV
                                                          : sb_rows_usual_format(me->output);
    if (me->help) {
        return SB_OK;
    }
    SB_TRY(check_required(me));
    SB_TRY(cli_labels_read(me, me->shared.label));
    sb_specs *const specs[CLI_SPEC_OPTIONS] = {&me->problems, &me->formulations, &me->steppers};
    for (int k = 0; k < CLI_SPEC_OPTIONS; k++) {
        SB_TRY(sb_specs_parse(me->ctx, me->arena, cli_spec_options[k].kind, me->texts[k].count, me->texts[k].list,
                              specs[k]));
    }
    return SB_OK;
}

bool cli_given(const cli *me, const char *param) {
    for (const cli_option *o = me->options; o->param != NULL; o++) {
        if (strcmp(o->param->name, param) == 0) {
            return o->given;
        }
    }
    return false;
}
