/* `stepbench complete -- WORD...`: writes the completions of the last word, one per line, for shells. */
#include <string.h>

#include "analysis/analysis.h"
#include "bench/cli/cli.h"
#include "core/base/params.h"

/* Prints the candidate, which has three pieces, if it begins with what is typed. */
static void offer(const char *typed, const char *before, const char *candidate, const char *after) {
    for (const char *const *piece = (const char *const[]){before, candidate, after, NULL}; *piece != NULL; piece++) {
        for (const char *c = *piece; *c != '\0' && *typed != '\0'; c++, typed++) {
            if (*c != *typed) {
                return;
            }
        }
    }
    if (*typed == '\0') {
        printf("%s%s%s\n", before, candidate, after);
    }
}

static void offer_list(const char *typed, const char *const *list) {
    for (; *list != NULL; list++) {
        offer(typed, "", *list, "");
    }
}

static void offer_kind(const cli *me, const char *typed, sb_kind kind) {
    for (int i = 0; i < me->registry->count[kind]; i++) {
        offer(typed, "", me->registry->entries[kind][i]->name, "");
    }
}

static void offer_commands(const cli *me, const char *typed) {
    for (int i = 0; cli_commands[i] != NULL; i++) {
        offer(typed, "", cli_commands[i]->entry.name, "");
    }
    offer_kind(me, typed, SB_KIND_ANALYSIS);
}

/* Offers the words of a choice, each after `before`. */
static void offer_choices(const char *typed, const char *before, const char *choices) {
    char word[80];
    while (*choices != '\0') {
        const size_t length = strcspn(choices, "|");
        snprintf(word, sizeof word, "%.*s", (int)length, choices);
        offer(typed, before, word, "");
        choices += length + (choices[length] == '|');
    }
}

/* ---- NAME:parameter=value,... ---- */

static const sb_entry *find_entry(const cli *me, sb_kind kind, const char *name, size_t length) {
    for (int i = 0; i < me->registry->count[kind]; i++) {
        const sb_entry *entry = me->registry->entries[kind][i];
        if (strlen(entry->name) == length && strncmp(entry->name, name, length) == 0) {
            return entry;
        }
    }
    return NULL;
}

/* Returns the beginning of the parameter being typed: after the last comma outside brackets. */
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
    if (colon == NULL) {
        offer_kind(me, typed, kind);
        return;
    }
    const sb_entry *entry = find_entry(me, kind, typed, (size_t)(colon - typed));
    const char *begin = last_parameter(colon + 1), *equals = strchr(begin, '=');
    char before[256];
    for (const sb_param *p = entry != NULL ? entry->params : NULL; p != NULL && p->name != NULL; p++) {
        if (equals == NULL) {
            snprintf(before, sizeof before, "%.*s", (int)(begin - typed), typed);
            offer(typed, before, p->name, "=");
        } else if (p->type == SB_CHOICE && strlen(p->name) == (size_t)(equals - begin) &&
                   strncmp(p->name, begin, strlen(p->name)) == 0) {
            snprintf(before, sizeof before, "%.*s", (int)(equals + 1 - typed), typed);
            offer_choices(typed, before, p->choices);
        }
    }
}

/* ---- Options and words of one command. ---- */

typedef struct subject {
    const sb_entry *entry;
    unsigned takes;
    const char *name;
} subject;

static bool same_option(const char *option, const char *param) {
    char expected[CLI_OPTION_SIZE];
    cli_option(param, expected);
    return strcmp(option, expected) == 0;
}

static void offer_options(const char *typed, const subject *s) {
    static const char *const common[] = {"--help", "--plugin", NULL};
    for (const sb_param *p = s->entry->params; p != NULL && p->name != NULL; p++) {
        char option[CLI_OPTION_SIZE];
        cli_option(p->name, option);
        offer(typed, "", option, "");
    }
    offer_list(typed, common);
    offer_choices(typed, "", (s->takes & CLI_PROBLEMS) != 0 ? "-p" : "");
    offer_choices(typed, "", (s->takes & CLI_FORMULATIONS) != 0 ? "-w" : "");
    offer_choices(typed, "", (s->takes & CLI_STEPPERS) != 0 ? "-s" : "");
    offer_choices(typed, "", (s->takes & CLI_OUTPUT) != 0 ? "-o" : "");
    for (int i = 0; i < CLI_SHARED; i++) {
        char option[CLI_OPTION_SIZE];
        cli_option(cli_shared_params[i].name, option);
        offer_choices(typed, "", (s->takes & cli_shared_takes[i]) != 0 ? option : "");
    }
}

/* Offers values of the option before the last word; returns false if that is not an option with a value. */
static bool offer_value(const cli *me, const char *option, const char *typed, const subject *s, const char *kind_word) {
    static const struct {
        const char *option;
        sb_kind kind;
    } specifications[] = {{"-p", SB_KIND_PROBLEM}, {"-w", SB_KIND_FORMULATION}, {"-s", SB_KIND_STEPPER}};
    for (size_t i = 0; i < sizeof specifications / sizeof specifications[0]; i++) {
        if (strcmp(option, specifications[i].option) == 0) {
            offer_specification(me, typed, specifications[i].kind);
            return true;
        }
    }
    if (strcmp(option, "--format") == 0) {
        offer_choices(typed, "", SB_FORMAT_CHOICES);
        return true;
    }
    if (strcmp(option, "-o") == 0 || strcmp(option, "--plugin") == 0) {
        return true; /* files, which the shell knows */
    }
    for (const sb_param *p = s->entry->params; p != NULL && p->name != NULL; p++) {
        if (!same_option(option, p->name) || sb_param_is_switch(p)) {
            continue;
        }
        offer_choices(typed, "", p->type == SB_CHOICE ? p->choices : "");
        for (int k = 0; strcmp(p->name, "from") == 0 && k < SB_KIND_COUNT; k++) {
            if (strcmp(kind_word, sb_kind_name[k]) == 0) {
                offer_kind(me, typed, (sb_kind)k);
            }
        }
        return true;
    }
    return false;
}

static void offer_words(const cli *me, const char *typed, const subject *s, const char *previous) {
    if (strcmp(s->name, "list") == 0) {
        for (int k = 0; k < SB_KIND_COUNT; k++) {
            offer(typed, "", sb_kind_plural[k], "");
        }
        offer(typed, "", "claims", "");
    } else if (strcmp(s->name, "show") == 0) {
        for (int k = 0; k < SB_KIND_COUNT; k++) {
            offer_kind(me, typed, (sb_kind)k);
        }
    } else if (strcmp(s->name, "bench") == 0) {
        offer_kind(me, typed, SB_KIND_EXPERIMENT);
    } else if (strcmp(s->name, "study") == 0) {
        return; /* a file, which the shell completes */
    } else if (strcmp(s->name, "new") == 0) {
        for (int k = 0; k < SB_KIND_COUNT && strcmp(previous, "new") == 0; k++) {
            if (cli_is_new_kind((sb_kind)k)) {
                offer(typed, "", sb_kind_name[k], "");
            }
        }
    } else if (strcmp(s->name, "check") == 0) {
        offer_kind(me, typed, SB_KIND_PROBLEM);
        offer_kind(me, typed, SB_KIND_STEPPER);
    } else if ((s->takes & CLI_WORDS) != 0) {
        offer_kind(me, typed, SB_KIND_STEPPER);
    }
}

static bool find_subject(const cli *me, const char *name, subject *s) {
    s->name = name;
    for (int i = 0; cli_commands[i] != NULL; i++) {
        if (strcmp(cli_commands[i]->entry.name, name) == 0) {
            s->entry = &cli_commands[i]->entry;
            s->takes = cli_commands[i]->takes;
            return true;
        }
    }
    s->entry = find_entry(me, SB_KIND_ANALYSIS, name, strlen(name));
    s->takes = cli_analysis_takes;
    return s->entry != NULL;
}

static int run_complete(cli *me) {
    static const char *const first[] = {"help", "--help", "--version", "--plugin", NULL};
    const cli_words *words = &me->words;
    const char *typed = words->count > 0 ? words->list[words->count - 1] : "";
    int at = 0;
    subject s;
    while (at + 1 < words->count && strncmp(words->list[at], "--plugin", 8) == 0) {
        at += words->list[at][8] == '=' ? 1 : 2;
    }
    if (at + 1 >= words->count) {
        if (at < words->count || words->count == 0) { /* otherwise the plug-in's file is being typed */
            offer_commands(me, typed);
            offer_list(typed, first);
        }
    } else if (strcmp(words->list[at], "help") == 0) {
        offer_commands(me, typed);
    } else if (find_subject(me, words->list[at], &s)) {
        const char *previous = words->list[words->count - 2];
        if (offer_value(me, previous, typed, &s, at + 1 < words->count ? words->list[at + 1] : "")) {
            return SB_OK;
        }
        if (typed[0] == '-') {
            offer_options(typed, &s);
        } else {
            offer_words(me, typed, &s, previous);
        }
    }
    return SB_OK;
}

const cli_command cli_complete = {
    {"complete", "Writes the completions of the last word of a command line, for the completion of shells", "", NULL,
     0},
    "stepbench complete -- [WORD...]",
    CLI_WORDS,
    run_complete,
    NULL,
    "stepbench complete -- order -p pend",
};
