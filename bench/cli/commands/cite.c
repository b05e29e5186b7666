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

/* Writes the papers of an entry, and of the steppers in the parentheses of a compound. */
static int cite_entry(cli *me, const char *name, char *written, size_t room) {
    sb_kind kind;
    const sb_entry *entry = cli_find_any(me, name, &kind);
    const char *inner = strchr(name, '(');
    char *part;
    if (entry == NULL) {
        return SB_BAD_USAGE;
    }
    SB_TRY(cite(me, entry->ref != NULL ? entry->ref : "", written, room));
    if (inner == NULL) {
        return SB_OK;
    }
    SB_PRINT(me->arena, part, "%.*s", (int)(strlen(inner) - 2), inner + 1);
    return cite_entry(me, part, written, room);
}

static int run_cite(cli *me) {
    char written[4096] = "";
    sb_kind kind;
    for (int i = 0; i < me->words.count; i++) { /* all names first: a wrong one writes nothing */
        if (cli_find_any(me, me->words.list[i], &kind) == NULL) {
            return SB_BAD_USAGE;
        }
    }
    printf("@software{stepbench,\n  author  = {{The stepbench developers}},\n"
           "  title   = {stepbench: a bench for mechanical time-steppers},\n  version = {%s}\n}\n",
           sb_version);
    for (int i = 0; i < me->words.count; i++) {
        SB_TRY(cite_entry(me, me->words.list[i], written, sizeof written));
    }
    return SB_OK;
}

const cli_command cli_cite = {
    &(const sb_entry){"cite", "Writes BibTeX entries: of stepbench, and of the papers of steppers, problems and others",
                      "", NULL, 0},
    "stepbench cite [NAME...]",
    CLI_WORDS,
    run_cite,
    NULL,
    "stepbench cite spook rattle dsp",
};
