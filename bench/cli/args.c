/* Parses the words of a command: options of its parameter table, -p, -w, -s, -o, --format and --jobs. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

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

/* The options that several commands share. */
typedef struct common_config {
    int format;
    long jobs, seconds;
} common_config;

static const sb_param common_params[] = {
    {"format", SB_CHOICE, offsetof(common_config, format), "csv", 0, 0, SB_CLOSED, SB_FORMAT_CHOICES, "",
     "how rows are written"},
    SB_PARAM_INT(common_config, jobs, "0", 0.0, 1024.0, "pairs at a time; 0: one per processor"),
    SB_PARAM_INT(common_config, seconds, "0", 0.0, 1e6,
                 "s of processor time that one pair may take, and ten times as long by the clock; 0: no limit"),
    {0},
};

void cli_option(const char *param, char out[CLI_OPTION_SIZE]) {
    snprintf(out, CLI_OPTION_SIZE, "--%s", param);
    for (char *c = out; *c != '\0'; c++) {
        *c = *c == '_' ? '-' : *c;
    }
}

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

/* Whether the command takes the parameter of the shared table. */
static bool takes_common(unsigned takes, const sb_param *p) {
    return (takes & (unsigned)(p == common_params ? CLI_OUTPUT : CLI_JOBS)) != 0;
}

static int unknown_option(cli *me, unsigned takes, const char *option) {
    enum { MOST = 64 };
    char names[MOST][CLI_OPTION_SIZE] = {"--help", "--plugin"}, near[256];
    const char *list[MOST] = {names[0], names[1]};
    int count = 2;
    for (const sb_param *p = common_params; p->name != NULL; p++) {
        if (takes_common(takes, p)) {
            cli_option(p->name, names[count]);
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
        return push(me, &me->texts[letter - letters], value);
    }
    if (me->output_given) {
        return given_twice(me, "-o");
    }
    me->output_given = true;
    me->output = strcmp(value, "-") == 0 ? NULL : value;
    return value[0] != '\0' ? SB_OK : sb_fail(me->ctx, SB_BAD_USAGE, "-o needs a file's name");
}

/* Sets the parameter p from the option `name`. */
static int set_param(cli *me, const options *o, const sb_param *p, const char *name, const char *attached, line *l) {
    const char *value = "yes";
    if (!sb_param_is_switch(p) || attached != NULL) {
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

static int long_option(cli *me, unsigned takes, const options *own, const options *common, line *l) {
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
    for (const sb_param *p = common_params; p->name != NULL; p++) {
        cli_option(p->name, option);
        if (takes_common(takes, p) && strcmp(option, name) == 0) {
            return set_param(me, common, p, name, attached, l);
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

static int set_defaults(cli *me, options *own) {
    int count = 1;
    me->config = sb_alloc(me->arena, 1, me->entry->config_size);
    if (me->config == NULL) {
        return SB_NO_MEMORY;
    }
    for (const sb_param *p = me->entry->params; p != NULL && p->name != NULL; p++, count++) {
        if (p->initial != NULL) {
            SB_TRY(sb_config_set(me->ctx, me->arena, me->entry, p->name, p->initial, me->config));
        }
    }
    SB_NEW(me->arena, own->given, count);
    me->given = own->given;
    own->entry = me->entry;
    own->config = me->config;
    return SB_OK;
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

/* Returns the format without --format: by the ending of the file's name, otherwise CSV; on a terminal a table. */
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
    const sb_entry shared = {.name = me->entry->name, .params = common_params, .config_size = sizeof(common_config)};
    common_config values = {0};
    bool common_given[sizeof common_params / sizeof *common_params] = {false};
    const options common = {&shared, &values, common_given};
    options own;
    SB_TRY(set_defaults(me, &own));
    for (line l = {argc, 0, argv}; l.at < argc; l.at++) {
        const char *word = argv[l.at];
        if (strcmp(word, "--") == 0 && (takes & (unsigned)CLI_WORDS) != 0) { /* only words follow */
            while (++l.at < argc) {
                SB_TRY(push(me, &me->words, argv[l.at]));
            }
        } else if (strncmp(word, "--", 2) == 0) {
            SB_TRY(long_option(me, takes, &own, &common, &l));
        } else if (strcmp(word, "-h") == 0) {
            me->help = true;
        } else if (word[0] == '-' && word[1] != '\0') {
            SB_TRY(short_option(me, takes, &l));
        } else if ((takes & (unsigned)CLI_WORDS) != 0) {
            SB_TRY(push(me, &me->words, word));
        } else {
            return sb_fail(me->ctx, SB_BAD_USAGE,
                           "%s takes no argument \"%s\"; `stepbench %s --help` shows how it is called", me->entry->name,
                           word, me->entry->name);
        }
    }
    me->jobs = values.jobs;
    me->seconds = values.seconds;
    me->format_given = common_given[0];
    me->format = me->format_given ? (sb_format)values.format : usual_format(me);
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

/* Rows in a file that is named as a picture or a page would open as neither. */
static int check_ending(cli *me) {
    static const char *const others[] = {".png", ".svg", ".pdf", ".gif", ".jpg", ".eps", ".html"};
    const char *ending = me->output != NULL && !me->format_given ? strrchr(me->output, '.') : NULL;
    for (size_t i = 0; ending != NULL && i < sizeof others / sizeof *others; i++) {
        if (strcmp(ending, others[i]) == 0) {
            return sb_fail(me->ctx, SB_BAD_USAGE,
                           "%s writes rows, and %s would not be a %s file: end its name with .csv, .json, .md, .tex or "
                           ".npy, or give --format",
                           me->entry->name, me->output, ending + 1);
        }
    }
    return SB_OK;
}

int cli_sink(cli *me, const char *const *comments, sb_sink **out) {
    if (me->rows != NULL && me->output == NULL) {
        *out = me->rows;
        return SB_OK;
    }
    SB_TRY(check_ending(me));
    return sb_sink_open(me->ctx, me->arena, me->format, me->output, comments, out);
}
