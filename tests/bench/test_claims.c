/* The claims, the quantities and the experiments belong together: every claim is decided by exactly one experiment,
 * every quantity belongs to a claim and to an experiment, and every experiment's files are its own. The comment on a
 * claim is one short sentence without measured numbers. */
#include <stdio.h>
#include <string.h>

#include <gsl/gsl_test.h>

#include "bench/data/data.h"
#include "bench/runner/claims.h"
#include "bench/runner/experiment.h"
#include "bench/runner/registry.h"
#include "bench/study/study.h"
#include "tests/bibliography.h"

/* How many experiments write the file. */
static int writers(const sb_registry *registry, const char *text) {
    int count = 0;
    for (int i = 0; i < registry->count[SB_KIND_EXPERIMENT]; i++) {
        const sb_experiment *experiment = (const sb_experiment *)registry->entries[SB_KIND_EXPERIMENT][i];
        for (const char *const *item = experiment->files; item != NULL && *item != NULL; item++) {
            count += strcmp(*item, text) == 0;
        }
    }
    return count;
}

/* How many experiments measure quantities of the claim. */
static int measurers(const sb_registry *registry, const sb_table *quantities, sb_arena *arena, const char *id) {
    int count = 0;
    for (int i = 0; i < registry->count[SB_KIND_EXPERIMENT]; i++) {
        const char *const *list;
        gsl_test(sb_claims_of(quantities, arena, registry->entries[SB_KIND_EXPERIMENT][i]->name, &list) != SB_OK,
                 "the claims of an experiment");
        for (; *list != NULL; list++) {
            count += strcmp(*list, id) == 0;
        }
    }
    return count;
}

/* A quantity belongs to an experiment and to a claim, differs from all others in its id and form and in its words, and
 * says in full what it is. A bound of `within` has a tolerance; every bound has its reason. */
static void check_quantity(sb_context *ctx, const sb_table *claims, const sb_table *rows, int i) {
    const char *id = sb_table_text(rows, i, "id"), *words = sb_table_text(rows, i, "quantity");
    char claim[64];
    snprintf(claim, sizeof claim, "%.*s", (int)strcspn(id, "/"), id);
    gsl_test(sb_table_find(claims, "id", claim, 0) < 0, "%s: %s is in the list of claims", id, claim);
    gsl_test(sb_registry_find(ctx, SB_KIND_EXPERIMENT, sb_table_text(rows, i, "experiment")) == NULL,
             "%s: its experiment is there", id);
    gsl_test(strstr(words, "the same") != NULL || strncmp(words, "those ", 6) == 0, "%s is named in full: %s", id,
             words);
    const bool within = (sb_table_is(rows, i, "comparison", "within") || sb_table_is(rows, i, "comparison", "order")) &&
                        !sb_table_is(rows, i, "form", "reported");
    gsl_test(within != (sb_table_text(rows, i, "tolerance")[0] != '\0'), "%s: a tolerance", id);
    const bool bound = !sb_table_is(rows, i, "form", "reported") && !sb_table_is(rows, i, "comparison", "holds");
    gsl_test(bound && sb_table_text(rows, i, "because")[0] == '\0', "%s: the reason of its bound", id);
    for (int k = 0; k < i; k++) {
        const bool form = sb_table_is(rows, k, "form", sb_table_text(rows, i, "form"));
        gsl_test(form && sb_table_is(rows, k, "id", id), "%s: one row of the form", id);
        gsl_test(strncmp(sb_table_text(rows, k, "id"), id, strlen(claim) + 1) == 0 && form &&
                     sb_table_is(rows, k, "quantity", words),
                 "%s: words of its own: %s", id, words);
    }
}

/* Whether a word with a digit names a place: an equation or a citation in brackets, a paper, or what follows `before`.
 */
static bool names_place(const char *word, const char *before) {
    static const char *const heads[] = {"Fig.", "Figs.", "Table", "Tables", "Section", "Theorem"};
    for (size_t i = 0; i < sizeof heads / sizeof heads[0]; i++) {
        if (strcmp(before, heads[i]) == 0) {
            return true;
        }
    }
    for (const sb_paper *paper = sb_papers; paper->key != NULL; paper++) {
        if (strncmp(word, paper->key, strlen(paper->key)) == 0) {
            return true;
        }
    }
    return (word[0] == '(' || word[0] == '[') && word[strspn(word, "([0123456789.)],;-")] == '\0';
}

/* A comment is one sentence of at most 25 words. Measured numbers are rows: a comment has none. */
static void check_comment(const char *id, const char *comment) {
    char text[512], before[64] = "";
    int words = 0;
    gsl_test(strlen(comment) >= sizeof text, "%s: the comment is short", id);
    snprintf(text, sizeof text, "%s", comment);
    for (char *word = strtok(text, " "); word != NULL; word = strtok(NULL, " "), words++) {
        gsl_test(strpbrk(word, "0123456789") != NULL && !names_place(word, before), "%s: no number in the comment: %s",
                 id, word);
        snprintf(before, sizeof before, "%s", word);
    }
    gsl_test(words > 25, "%s: %d words in the comment, not more than 25", id, words);
    gsl_test(words > 0 && comment[strlen(comment) - 1] != '.', "%s: the comment is a sentence", id);
}

/* The key that the claim begins with: of a paper, or of a group of papers, which the bibliography does not have. */
static const char *paper_of(const char *id) {
    for (const sb_paper *paper = sb_papers; paper->key != NULL; paper++) {
        const size_t length = strlen(paper->key);
        if (strncmp(id, paper->key, length) == 0 && id[length] == '-') {
            return paper->key;
        }
    }
    return NULL;
}

int main(void) {
    char *bibliography = read_bibliography();
    sb_context ctx;
    sb_registry registry;
    sb_arena arena;
    sb_table claims, quantities;
    sb_context_init(&ctx);
    ctx.registry = &registry;
    sb_arena_init(&arena, &ctx);
    gsl_test(sb_registry_init(&registry, &ctx) != SB_OK || sb_register_builtins(&registry) != SB_OK, "registry: %s",
             ctx.message);
    cli me = {.ctx = &ctx, .arena = &arena, .registry = &registry};
    gsl_test(sb_study_read_papers(&me) != SB_OK, "studies of the papers: %s", ctx.message);
    gsl_test(sb_claims_read(&ctx, &arena, NULL, &claims) != SB_OK, "list of claims: %s", ctx.message);
    gsl_test(claims.nrows == 0, "there are claims");
    gsl_test(sb_quantities_read(&ctx, &arena, NULL, &quantities) != SB_OK, "quantities: %s", ctx.message);
    for (int i = 0; i < quantities.nrows; i++) {
        check_quantity(&ctx, &claims, &quantities, i);
    }

    for (int i = 0; i < claims.nrows; i++) {
        const char *id = sb_table_text(&claims, i, "id");
        gsl_test_int(measurers(&registry, &quantities, &arena, id), 1, "experiments that settle %s", id);
        gsl_test(sb_table_text(&claims, i, "claim")[0] == '\0' || sb_table_text(&claims, i, "where")[0] == '\0' ||
                     sb_table_text(&claims, i, "published")[0] == '\0',
                 "%s says what, where and what was published", id);
        check_comment(id, sb_table_text(&claims, i, "comment"));
        const char *where = sb_table_text(&claims, i, "where"), *paper = paper_of(id);
        gsl_test(paper == NULL, "%s begins with the key of a paper", id);
        gsl_test(!references_resolve(bibliography, where), "%s: \"%s\" resolves in docs/references.bib", id, where);
        gsl_test(paper != NULL && references_resolve(bibliography, paper) && strncmp(where, paper, strlen(paper)) != 0,
                 "%s is a claim of %s", id, paper);
        for (int j = 0; j < i; j++) {
            gsl_test(strcmp(id, sb_table_text(&claims, j, "id")) == 0, "%s stands once in the list", id);
        }
    }
    for (int i = 0; i < registry.count[SB_KIND_EXPERIMENT]; i++) {
        const sb_experiment *experiment = (const sb_experiment *)registry.entries[SB_KIND_EXPERIMENT][i];
        gsl_test(experiment->files == NULL || experiment->files[0] == NULL, "%s names its files",
                 experiment->entry.name);
        for (const char *const *file = experiment->files; file != NULL && *file != NULL; file++) {
            gsl_test_int(writers(&registry, *file), 1, "experiments that write %s", *file);
        }
    }
    for (int i = 0; i < registry.count[SB_KIND_EXPERIMENT]; i++) {
        const sb_study_experiment *study = (const sb_study_experiment *)registry.entries[SB_KIND_EXPERIMENT][i];
        for (int k = 0; study->experiment.run == sb_study_run && k < study->nmeasures; k++) {
            const char *id = study->measures[k].id;
            const int row = sb_table_find(&quantities, "id", id, 0);
            gsl_test(strchr(id, '{') == NULL &&
                         (row < 0 || !sb_table_is(&quantities, row, "experiment", study->experiment.entry.name)),
                     "%s measures %s, a row of quantities.csv", study->experiment.entry.name, id);
        }
    }
    sb_registry_free(&registry);
    sb_arena_free(&arena);
    free(bibliography);
    return gsl_test_summary();
}
