/* `stepbench new KIND NAME`: a file that compiles at once, and is to be changed. */
#include <string.h>

#include "bench/cli/cli.h"
#include "bench/cli/scaffold.h"

typedef struct new_options {
    const char *from, *dir;
    int out_of_tree;
} new_options;

static const sb_param new_params[] = {
    {"from", SB_TEXT, offsetof(new_options, from), "", 0, 0, SB_CLOSED, NULL, "",
     "begin with the source of this stepper, problem or formulation instead of the template"},
    {"out_of_tree", SB_CHOICE, offsetof(new_options, out_of_tree), "no", 0, 0, SB_CLOSED, "no|yes", "",
     "a plug-in in a folder of its own, with a CMakeLists.txt that finds the installed stepbench"},
    {"dir", SB_TEXT, offsetof(new_options, dir), ".", 0, 0, SB_CLOSED, NULL, "",
     "stepbench's source tree, or where the plug-in's folder is made"},
    {0},
};

static bool plugin_kind(sb_kind kind) {
    return kind == SB_KIND_STEPPER || kind == SB_KIND_PROBLEM || kind == SB_KIND_FORMULATION;
}

static int find_kind(cli *me, const char *word, sb_kind *kind) {
    const char *words[SB_KIND_COUNT];
    char near[200];
    int count = 0;
    for (int k = 0; k < SB_KIND_COUNT; k++) {
        if (sb_scaffold_folder((sb_kind)k) == NULL) {
            continue;
        }
        *kind = (sb_kind)k;
        if (strcmp(word, sb_kind_name[k]) == 0) {
            return SB_OK;
        }
        words[count++] = sb_kind_name[k];
    }
    sb_nearest_names(word, count, words, near, sizeof near);
    return sb_fail(me->ctx, SB_BAD_USAGE, "new makes no \"%s\"; %s%s", word, near[0] != '\0' ? "nearest: " : "",
                   near[0] != '\0' ? near
                                   : "it makes a stepper, a problem, a formulation, an analysis or an experiment");
}

static int check_name(cli *me, sb_kind kind, const char *name) {
    SB_TRY(sb_registry_check_name(me->registry, kind, name));
    for (int i = 0; cli_commands[i] != NULL; i++) {
        if (strcmp(cli_commands[i]->entry.name, name) == 0) {
            return sb_fail(me->ctx, SB_BAD_USAGE, "no %s can be named \"%s\": it is a command", sb_kind_name[kind],
                           name);
        }
    }
    return SB_OK;
}

static int check_options(cli *me, sb_kind kind, const new_options *options) {
    if (plugin_kind(kind)) {
        return options->from[0] == '\0' || sb_registry_find(me->ctx, kind, options->from) != NULL ? SB_OK
                                                                                                  : SB_BAD_USAGE;
    }
    if (options->from[0] != '\0' || options->out_of_tree) {
        return sb_fail(me->ctx, SB_BAD_USAGE, "%s is for steppers, problems and formulations: a%s %s %s",
                       options->out_of_tree ? "--out-of-tree" : "--from",
                       kind == SB_KIND_ANALYSIS || kind == SB_KIND_EXPERIMENT ? "n" : "", sb_kind_name[kind],
                       options->out_of_tree ? "is built in the tree" : "begins with its template");
    }
    return SB_OK;
}

/* A command that shows the new thing at work, less the program and its plug-in. */
static void print_trial(sb_kind kind, const char *program, const char *name) {
    switch (kind) {
    case SB_KIND_STEPPER:
        printf("  %s order -p oscillator -s %s\n", program, name);
        break;
    case SB_KIND_PROBLEM:
        printf("  %s order -p %s -s rk4\n", program, name);
        break;
    case SB_KIND_FORMULATION:
        printf("  %s order -p oscillator -w %s -s rk4\n", program, name);
        break;
    case SB_KIND_EXPERIMENT:
        printf("  %s bench %s --out trial\n", program, name);
        break;
    default:
        printf("  %s %s -p oscillator\n", program, name);
        break;
    }
}

static void print_next(sb_kind kind, const char *name, const char *dir, bool out_of_tree) {
    puts("next");
    if (out_of_tree) {
        char program[2 * SB_MESSAGE_MAX];
        printf("  cmake -S %s%s -B %s%s/build && cmake --build %s%s/build\n", dir, name, dir, name, dir, name);
        snprintf(program, sizeof program, "stepbench --plugin %s%s/build/%s.so", dir, name, name);
        print_trial(kind, program, name);
        return;
    }
    puts("  cmake --build build");
    print_trial(kind, "build/stepbench", name);
    puts("  make check docs");
}

static int run_new(cli *me) {
    const new_options *options = me->config;
    sb_kind kind = SB_KIND_STEPPER;
    if (me->words.count != 2) {
        return sb_fail(me->ctx, SB_BAD_USAGE,
                       "new takes a kind and a name, as in `stepbench new stepper my_method`, not %d word%s",
                       me->words.count, me->words.count == 1 ? "" : "s");
    }
    SB_TRY(find_kind(me, me->words.list[0], &kind));
    const char *name = me->words.list[1];
    SB_TRY(check_name(me, kind, name));
    SB_TRY(check_options(me, kind, options));
    const char *dir = "";
    if (strcmp(options->dir, ".") != 0) {
        char *prefix;
        SB_NEW(me->arena, prefix, strlen(options->dir) + 2);
        dir = strcat(strcpy(prefix, options->dir), "/");
    }
    const sb_scaffold scaffold = {me->ctx, me->arena, kind, name, options->from[0] != '\0' ? options->from : NULL, dir};
    SB_TRY(options->out_of_tree ? sb_scaffold_plugin(&scaffold) : sb_scaffold_tree(&scaffold));
    print_next(kind, name, dir, options->out_of_tree != 0);
    return SB_OK;
}

const cli_command cli_new = {
    {"new",
     "Begins a stepper, problem, formulation, analysis or experiment of one's own: a file that compiles as it is", "",
     new_params, sizeof(new_options)},
    "stepbench new stepper|problem|formulation|analysis|experiment NAME [--from NAME] [--out-of-tree] [--dir DIR]",
    CLI_WORDS,
    run_new,
};
