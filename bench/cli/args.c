/* Parses the words of a command: options of its parameter table, -p, -w, -s, -o, --format and --jobs. */
#include <stdio.h>
#include <string.h>

#include "bench/cli/cli.h"
#include "core/base/params.h"

/* The words that are parsed. */
typedef struct line {
    int argc, at;
    char *const *argv;
} line;

/* A table of parameters whose options may be on the command line. */
typedef struct options {
    const sb_entry *entry;
    void *config;
    bool *given;
} options;

void cli_option(const char *param, char out[CLI_OPTION_SIZE]) {
    snprintf(out, CLI_OPTION_SIZE, "--%s", param);
    for (char *c = out; *c != '\0'; c++) {
        *c = *c == '_' ? '-' : *c;
    }
}

int cli_push(cli *me, cli_words *words, const char *word) {
    const int count = words->count;
    if ((count & (count - 1)) == 0) { /* the list is full: its room is a power of two */
        const char **grown;
        SB_NEW(me->arena, grown, count > 0 ? 2 * count : 1);
        if (count > 0) {
            memcpy(grown, words->list, (size_t)count * sizeof *grown);
        }
        words->list = grown;
    }
    words->list[words->count++] = word;
    return SB_OK;
}

static int unknown_option(cli *me, unsigned takes, const char *option) {
    enum { MOST = 64 };
    char names[MOST][CLI_OPTION_SIZE] = {"--help", "--plugin"}, near[256];
    const char *list[MOST] = {names[0], names[1]};
    int count = 2;
    for (int i = 0; i < CLI_SHARED; i++) {
        if ((takes & cli_shared_takes[i]) != 0) {
            cli_option(cli_shared_params[i].name, names[count]);
            list[count] = names[count];
            count++;
        }
    }
    for (const sb_param *p = me->entry->params; p != NULL && p->name != NULL && count < MOST; p++, count++) {
        cli_option(p->name, names[count]);
        list[count] = names[count];
    }
    sb_nearest_names(option, count, list, near, sizeof near);
    return sb_fail(me->ctx, SB_BAD_USAGE, "%s has no option %s; %s%s%s`stepbench %s --help` names them all",
                   me->entry->name, option, near[0] != '\0' ? "nearest: " : "", near, near[0] != '\0' ? "; " : "",
                   me->entry->name);
}

static int given_twice(cli *me, const char *option) {
    return sb_fail(me->ctx, SB_BAD_USAGE, "%s is given twice", option);
}

/* Takes the value of an option: what is attached to it, or the next word. */
static int take_value(cli *me, line *l, const char *option, const char *attached, const char **value) {
    if (attached == NULL && l->at + 1 >= l->argc) {
        return sb_fail(me->ctx, SB_BAD_USAGE, "%s needs a value", option);
    }
    *value = attached != NULL ? attached : l->argv[++l->at];
    return SB_OK;
}

static int short_option(cli *me, unsigned takes, line *l) {
    static const char letters[] = "pws";
    static const unsigned flags[] = {CLI_PROBLEMS, CLI_FORMULATIONS, CLI_STEPPERS};
    const char *word = l->argv[l->at], *value = NULL;
    const char *letter = strchr(letters, word[1]);
    const bool output = word[1] == 'o' && (takes & (unsigned)CLI_OUTPUT) != 0;
    if (!output && (letter == NULL || (takes & flags[letter - letters]) == 0)) {
        return unknown_option(me, takes, word);
    }
    SB_TRY(take_value(me, l, word, word[2] != '\0' ? word + 2 : NULL, &value));
    if (!output) {
        return cli_push(me, &me->texts[letter - letters], value);
    }
    if (me->output_given) {
        return given_twice(me, "-o");
    }
    me->output_given = true;
    me->output = strcmp(value, "-") == 0 ? NULL : value;
    return value[0] != '\0' ? SB_OK : sb_fail(me->ctx, SB_BAD_USAGE, "-o needs a file's name");
}

/* Returns the value of an option that is given without one: of a switch, or of a text with a choice that is followed by
 * another option or ends the command. Returns NULL if the option needs a value. */
static const char *implied_value(const sb_param *p, const line *l) {
    const bool last = l->at + 1 >= l->argc || l->argv[l->at + 1][0] == '-';
    return sb_param_is_switch(p) ? "yes" : p->type == SB_TEXT && p->choices != NULL && last ? p->choices : NULL;
}

/* Sets the parameter p from the option `name`. */
static int set_param(cli *me, const options *o, const sb_param *p, const char *name, const char *attached, line *l) {
    const char *value = implied_value(p, l);
    if (value == NULL || attached != NULL) {
        SB_TRY(take_value(me, l, name, attached, &value));
    }
    if (o->given[p - o->entry->params]) {
        return given_twice(me, name);
    }
    o->given[p - o->entry->params] = true;
    sb_param option[] = {*p, {0}}; /* messages name the option */
    option->name = name;
    const sb_entry entry = {.name = me->entry->name, .params = option, .config_size = o->entry->config_size};
    return sb_config_set(me->ctx, me->arena, &entry, name, value, o->config);
}

static int long_option(cli *me, unsigned takes, const options *own, const options *shared, line *l) {
    char name[CLI_OPTION_SIZE], option[CLI_OPTION_SIZE];
    const char *word = l->argv[l->at], *equals = strchr(word, '='), *attached = equals != NULL ? equals + 1 : NULL;
    snprintf(name, sizeof name, "%.*s", equals != NULL ? (int)(equals - word) : CLI_OPTION_SIZE - 1, word);
    if (strcmp(name, "--help") == 0) {
        me->help = true;
        return SB_OK;
    }
    if (strcmp(name, "--plugin") == 0) { /* loaded before the command was looked up */
        return take_value(me, l, name, attached, &attached);
    }
    for (int i = 0; i < CLI_SHARED; i++) {
        cli_option(cli_shared_params[i].name, option);
        if ((takes & cli_shared_takes[i]) != 0 && strcmp(option, name) == 0) {
            return set_param(me, shared, &cli_shared_params[i], name, attached, l);
        }
    }
    for (const sb_param *p = me->entry->params; p != NULL && p->name != NULL; p++) {
        cli_option(p->name, option);
        if (strcmp(option, name) == 0) {
            return set_param(me, own, p, name, attached, l);
        }
    }
    return unknown_option(me, takes, name);
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

static int begin_options(cli *me, options *own) {
    int count = 1;
    for (const sb_param *p = me->entry->params; p != NULL && p->name != NULL; p++) {
        count++;
    }
    SB_NEW(me->arena, own->given, count);
    me->given = own->given;
    me->config = sb_alloc(me->arena, 1, me->entry->config_size);
    own->entry = me->entry;
    own->config = me->config;
    return me->config != NULL ? set_defaults(me, me->entry, me->config) : SB_NO_MEMORY;
}

static int check_required(cli *me) {
    for (const sb_param *p = me->entry->params; p != NULL && p->name != NULL; p++) {
        if (p->initial == NULL && !me->given[p - me->entry->params]) {
            char option[CLI_OPTION_SIZE];
            cli_option(p->name, option);
            return sb_fail(me->ctx, SB_BAD_USAGE, "%s needs %s (%s)", me->entry->name, option, p->doc);
        }
    }
    return SB_OK;
}

static int parse_specs(cli *me, sb_kind kind, const cli_words *texts, sb_specs *out) {
    return sb_specs_parse(me->ctx, me->arena, kind, texts->count, texts->list, out);
}

int cli_parse(cli *me, unsigned takes, int argc, char *const *argv) {
    const sb_entry entry = {.name = me->entry->name, .params = cli_shared_params, .config_size = sizeof(cli_shared)};
    const options shared = {&entry, &me->shared, me->shared_given};
    options own;
    SB_TRY(begin_options(me, &own));
    SB_TRY(set_defaults(me, &entry, &me->shared));
    for (line l = {argc, 0, argv}; l.at < argc; l.at++) {
        const char *word = argv[l.at];
        if (strcmp(word, "--") == 0 && (takes & (unsigned)CLI_WORDS) != 0) { /* only words follow */
            while (++l.at < argc) {
                SB_TRY(cli_push(me, &me->words, argv[l.at]));
            }
        } else if (strncmp(word, "--", 2) == 0) {
            SB_TRY(long_option(me, takes, &own, &shared, &l));
        } else if (strcmp(word, "-h") == 0) {
            me->help = true;
        } else if (word[0] == '-' && word[1] != '\0') {
            SB_TRY(short_option(me, takes, &l));
        } else if ((takes & (unsigned)CLI_WORDS) != 0) {
            SB_TRY(cli_push(me, &me->words, word));
        } else {
            return sb_fail(me->ctx, SB_BAD_USAGE,
                           "%s takes no argument \"%s\"; `stepbench %s --help` shows how it is called", me->entry->name,
                           word, me->entry->name);
        }
    }
    me->format = cli_shared_option_given(me, "format")    ? (sb_format)me->shared.rows.format
                 : me->output == NULL && me->rows != NULL ? SB_FORMAT_CSV
                                                          : sb_rows_usual_format(me->output);
    SB_TRY(sb_rows_check_format(me->ctx, me->format, me->output));
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
