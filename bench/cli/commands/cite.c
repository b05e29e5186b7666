/* `stepbench cite [NAME...]`: writes the BibTeX entries of stepbench and of the papers that entries refer to. */
#include <string.h>

#include "bench/card/references.h"
#include "bench/cli/cli.h"
#include "core/base/text.h"
#include "core/output/provenance.h"

/* Writes the papers of a reference, "calvo93; hlw06 VIII.1", that are not written yet. `written` has their keys, each
 * before a blank. */
static int cite(cli *me, const char *reference, char *written, size_t room) {
    for (const char *at = reference; *at != '\0'; at += strcspn(at, ";"), at += strspn(at, "; ")) {
        char key[64];
        const char *entry;
        snprintf(key, sizeof key, "%.*s ", (int)strcspn(at, " ;"), at);
        const size_t length = strlen(written);
        if (strstr(written, key) != NULL || length + strlen(key) >= room) {
            continue;
        }
        strcpy(written + length, key);
        SB_TRY(sb_reference_bibtex(me->ctx, me->arena, key, &entry));
        if (entry != NULL) {
            printf("\n%s\n", entry);
        }
    }
    return SB_OK;
}

/* Finds the reference of a name: of an entry, a claim, or a key of the bibliography, which is its own. */
static int reference_of(cli *me, const char *name, bool *read, const char **ref) {
    char unknown[SB_MESSAGE_MAX];
    const char *entry;
    if (cli_reference_of(me, name, read, ref) == SB_OK) {
        return SB_OK;
    }
    memcpy(unknown, me->ctx->message, sizeof unknown);
    SB_TRY(sb_reference_bibtex(me->ctx, me->arena, name, &entry));
    *ref = name;
    return entry != NULL ? SB_OK : sb_fail(me->ctx, SB_BAD_USAGE, "%s", unknown);
}

static int run_cite(cli *me) {
    char written[4096] = "";
    const char **refs;
    bool read = false;
    SB_NEW(me->arena, refs, me->words.count + 1);
    for (int i = 0; i < me->words.count; i++) { /* all names first: a wrong one writes nothing */
        SB_TRY(reference_of(me, me->words.list[i], &read, &refs[i]));
    }
    printf("@misc{stepbench,\n  author = {{The stepbench developers}},\n"
           "  title  = {stepbench: a bench for mechanical time-steppers},\n  note   = {Version %s}\n}\n",
           sb_version);
    for (int i = 0; i < me->words.count; i++) {
        const char *name = me->words.list[i];
        SB_TRY(cite(me, refs[i], written, sizeof written));
        for (const char *inner; (inner = strchr(name, '(')) != NULL;) { /* the steppers in a compound */
            char *part;
            const char *ref;
            SB_PRINT(me->arena, part, "%.*s", (int)(strlen(inner) - 2), inner + 1);
            SB_TRY(reference_of(me, part, &read, &ref));
            SB_TRY(cite(me, ref, written, sizeof written));
            name = part;
        }
    }
    return SB_OK;
}

const cli_command cli_cite = {
    &(const sb_entry){"cite",
                      "Writes BibTeX entries: of stepbench, and of papers: those of steppers, problems, experiments, "
                      "claims, or by key",
                      "", NULL, 0},
    "stepbench cite [NAME...]",
    CLI_WORDS,
    run_cite,
    NULL,
    "stepbench cite rattle dsp wm96_fig8",
};
