/* `stepbench complete -- WORD...`: writes the completions of the last word, one per line, for shells. */
#include <string.h>

#include "bench/study/study.h"
#include "core/base/params.h"

/* Prints the candidate if it begins with what is typed. */
static void offer(const char *typed, const char *candidate) {
    if (strncmp(candidate, typed, strlen(typed)) == 0) {
        puts(candidate);
    }
}

static void offer_list(const char *typed, const char *const *list) {
    for (; *list != NULL; list++) {
        offer(typed, *list);
    }
}

static void offer_kind(const cli *me, const char *typed, sb_kind kind) {
    for (int i = 0; i < me->registry->count[kind]; i++) {
        offer(typed, me->registry->entries[kind][i]->name);
    }
}

static void offer_commands(const cli *me, const char *typed) {
    for (int i = 0; cli_commands[i] != NULL; i++) {
        offer(typed, cli_commands[i]->entry->name);
    }
    offer_kind(me, typed, SB_KIND_ANALYSIS);
}

/* Offers the words of a choice, each after the first `kept` characters of what is typed. */
static void offer_choices(const char *typed, size_t kept, const char *choices) {
    char candidate[512];
    while (*choices != '\0') {
        const size_t length = strcspn(choices, "|");
        snprintf(candidate, sizeof candidate, "%.*s%.*s", (int)kept, typed, (int)length, choices);
        offer(typed, candidate);
        choices += length + (choices[length] == '|');
    }
}

/* ---- NAME:parameter=value,... ---- */

/* Returns the beginning of the parameter that is being typed: after the last comma outside brackets. */
static const char *last_parameter(const char *text) {
    const char *begin = text;
    int depth = 0;
    for (; *text != '\0'; text++) {
        depth += (*text == '[') - (*text == ']');
        if (*text == ',' && depth == 0) {
            begin = text + 1;
        }
    }
    return begin;
}

static void offer_specification(const cli *me, const char *typed, sb_kind kind) {
    const char *colon = strchr(typed, ':');
    char text[512];
    if (colon == NULL) {
        offer_kind(me, typed, kind);
        return;
    }
    snprintf(text, sizeof text, "%.*s", (int)(colon - typed), typed);
    const sb_entry *entry = sb_registry_find(me->ctx, kind, text);
    const char *begin = last_parameter(colon + 1), *equals = strchr(begin, '=');
    if (entry == NULL) {
        return;
    }
    for (const sb_param *p = entry->params; equals == NULL && p != NULL && p->name != NULL; p++) {
        snprintf(text, sizeof text, "%.*s%s=", (int)(begin - typed), typed, p->name);
        offer(typed, text);
    }
    if (equals != NULL) {
        snprintf(text, sizeof text, "%.*s", (int)(equals - begin), begin);
        const sb_param *p = sb_param_find(entry, text);
        offer_choices(typed, (size_t)(equals + 1 - typed), p != NULL && p->type == SB_CHOICE ? p->choices : "");
    }
}

/* ---- Options and words of one command. ---- */

static void offer_options(const char *typed, const cli_command *command, const cli_option *options) {
    for (const cli_option *o = options; o->param != NULL; o++) {
        offer(typed, o->name);
    }
    for (int k = 0; k < CLI_SPEC_OPTIONS; k++) {
        if ((command->takes & cli_spec_options[k].takes) != 0) {
            offer(typed, cli_spec_options[k].option);
        }
    }
    if ((command->takes & (unsigned)CLI_OUTPUT) != 0) {
        offer(typed, "-o");
    }
    offer(typed, "--help");
    offer(typed, "--plugin");
    offer(typed, "--engine");
}

/* Offers values of the option before the last word; returns false if that is not an option with a value. */
static bool offer_value(const cli *me, const char *option, const char *typed, const cli_option *options,
                        const char *kind_word) {
    for (int k = 0; k < CLI_SPEC_OPTIONS; k++) {
        if (strcmp(option, cli_spec_options[k].option) == 0) {
            offer_specification(me, typed, cli_spec_options[k].kind);
            return true;
        }
    }
    if (strcmp(option, "-o") == 0 || strcmp(option, "--plugin") == 0) {
        return true; /* the shell completes files */
    }
    while (options->param != NULL && strcmp(options->name, option) != 0) {
        options++;
    }
    if (options->param == NULL || sb_param_is_switch(options->param)) {
        return false;
    }
    offer_choices(typed, 0, options->param->type == SB_CHOICE ? options->param->choices : "");
    for (int k = 0; strcmp(option, "--from") == 0 && k < SB_KIND_COUNT; k++) {
        if (strcmp(kind_word, sb_kind_name[k]) == 0) {
            offer_kind(me, typed, (sb_kind)k);
        }
    }
    return true;
}

/* The kinds of entries that the words of a command name. */
static const struct {
    const char *command;
    sb_kind kinds[2];
    int count;
} word_kinds[] = {
    {"bench", {SB_KIND_EXPERIMENT}, 1},
    {"card", {SB_KIND_STEPPER}, 1},
    {"check", {SB_KIND_PROBLEM, SB_KIND_STEPPER}, 2},
    {"reference", {SB_KIND_PROBLEM}, 1},
};

/* Offers the words without a dash of a command. The shell completes the file of `study`. */
static void offer_words(const cli *me, const char *typed, const char *command, const char *previous) {
    const bool list = strcmp(command, "list") == 0, show = strcmp(command, "show") == 0,
               new_kind = strcmp(command, "new") == 0 && strcmp(previous, "new") == 0;
    for (sb_kind k = 0; k < SB_KIND_COUNT; k++) {
        if (list || (new_kind && cli_is_new_kind(k))) {
            offer(typed, list ? sb_kind_plural[k] : sb_kind_name[k]);
        } else if (show) {
            offer_kind(me, typed, k);
        }
    }
    if (list) {
        offer(typed, "claims");
    }
    for (size_t i = 0; i < sizeof word_kinds / sizeof *word_kinds; i++) {
        for (int k = 0; k < word_kinds[i].count && strcmp(word_kinds[i].command, command) == 0; k++) {
            offer_kind(me, typed, word_kinds[i].kinds[k]);
        }
    }
}

static int run_complete(cli *me) {
    static const char *const first[] = {"help", "--help", "--version", "--plugin", "--engine", NULL};
    const cli_words *words = &me->words;
    const char *typed = words->count > 0 ? words->list[words->count - 1] : "";
    int at = 0;
    cli_command command;
    cli_option *options;
    SB_TRY(sb_study_read_papers(me));
    while (at + 1 < words->count && cli_early_words(words->list[at]) > 0) {
        at += cli_early_words(words->list[at]);
    }
    if (at + 1 >= words->count) {
        if (at < words->count || words->count == 0) { /* otherwise the file of a plug-in is being typed */
            offer_commands(me, typed);
            offer_list(typed, first);
        }
    } else if (strcmp(words->list[at], "help") == 0) {
        offer_commands(me, typed);
    } else if (cli_find_command(me, words->list[at], &command)) {
        const char *previous = words->list[words->count - 2];
        SB_TRY(cli_list_options(me->arena, &command, &options));
        if (offer_value(me, previous, typed, options, words->list[at + 1])) {
            return SB_OK;
        }
        if (typed[0] == '-') {
            offer_options(typed, &command, options);
        } else {
            offer_words(me, typed, command.entry->name, previous);
        }
    }
    return SB_OK;
}

const cli_command cli_complete = {
    &(const sb_entry){"complete",
                      "Writes the completions of the last word of a command line, for the completion of shells", "",
                      NULL, 0},
    "stepbench complete -- [WORD...]",
    CLI_WORDS,
    run_complete,
    NULL,
    "stepbench complete -- order -p pend",
};
