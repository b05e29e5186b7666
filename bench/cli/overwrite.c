/* Refuses a command whose outputs would replace each other or a file that the command reads. */
#include <string.h>
#include <sys/stat.h>

#include "bench/cli/cli.h"
#include "core/base/text.h"

static bool is_same_file(const char *a, const char *b) {
    struct stat one, other;
    return stat(a, &one) == 0 && stat(b, &other) == 0 && S_ISREG(one.st_mode) && one.st_dev == other.st_dev &&
           one.st_ino == other.st_ino;
}

/* Fails if a word of the command line is the file, or has it as a part: NAME:k=FILE,k=FILE, or "python3 FILE". */
static int check_word(cli *me, const char *word, const char *option, const char *file) {
    static const char separators[] = " '\"=,";
    char *part, *rest = NULL;
    SB_PRINT(me->arena, part, "%s", word);
    bool same = is_same_file(word, file);
    for (part = strtok_r(part, separators, &rest); part != NULL && !same; part = strtok_r(NULL, separators, &rest)) {
        same = is_same_file(part, file);
    }
    return same ? sb_fail(me->ctx, SB_BAD_USAGE,
                          "%s %s would replace a file that the command reads, in %s; take another name", option, file,
                          word)
                : SB_OK;
}

/* Fails if a word of the command line, but for the values of the options of outputs, or a plug-in or an engine names
 * the file. */
static int check_inputs(cli *me, int argc, char *const *argv, const char *option, const char *file) {
    for (int i = 0; i < argc; i++) {
        const char *word = argv[i];
        if (strcmp(word, "-o") == 0 || strcmp(word, "--plot") == 0 || strcmp(word, "--plot-script") == 0) {
            i++;
        } else if (strncmp(word, "-o", 2) != 0 && strncmp(word, "--plot", 6) != 0) {
            SB_TRY(check_word(me, word, option, file));
        }
    }
    for (int i = 0; i < me->registry->nplugins; i++) {
        SB_TRY(check_word(me, me->registry->plugins[i].path, option, file));
    }
    return SB_OK;
}

int cli_check_outputs(cli *me, int argc, char *const *argv) {
    enum { OUTPUTS = 3 };
    const char *script = me->shared.plot_script, *plot = me->shared.plot, *data;
    const char *const option[OUTPUTS] = {"-o", "--plot", "--plot-script"};
    const char *const file[OUTPUTS] = {me->output != NULL ? me->output : "",
                                       strcmp(plot, CLI_PLOT_SHOWN) == 0 ? "" : plot, script};
    for (int k = 0; k < OUTPUTS; k++) {
        for (int i = 0; i < k && file[k][0] != '\0'; i++) {
            if (strcmp(file[i], file[k]) == 0 || is_same_file(file[i], file[k])) {
                return sb_fail(me->ctx, SB_BAD_USAGE, "%s %s and %s %s are one file; take two names", option[i],
                               file[i], option[k], file[k]);
            }
        }
        SB_TRY(file[k][0] != '\0' ? check_inputs(me, argc, argv, option[k], file[k]) : SB_OK);
    }
    if (!sb_ends_with(script, ".gp")) {
        return SB_OK;
    }
    SB_PRINT(me->arena, data, "%.*scsv", (int)strlen(script) - 2, script);
    return check_inputs(me, argc, argv, option[OUTPUTS - 1], data);
}
