/* The list of claims and the experiments belong together: every claim is settled by exactly one experiment, and every
 * experiment's files are its own. */
#include <string.h>

#include <gsl/gsl_test.h>

#include "bench/cli/data.h"
#include "bench/runner/experiment.h"
#include "bench/runner/registry.h"

/* How many experiments name the text in the list picked by `files`. */
static int mentions(const sb_registry *registry, const char *text, bool files) {
    int count = 0;
    for (int i = 0; i < registry->count[SB_KIND_EXPERIMENT]; i++) {
        const sb_experiment *experiment = (const sb_experiment *)registry->entries[SB_KIND_EXPERIMENT][i];
        for (const char *const *item = files ? experiment->files : experiment->claims; item != NULL && *item != NULL;
             item++) {
            count += strcmp(*item, text) == 0;
        }
    }
    return count;
}

static bool is_claim(const sb_table *claims, const char *id) {
    for (int i = 0; i < claims->nrows; i++) {
        if (strcmp(sb_table_text(claims, i, "id"), id) == 0) {
            return true;
        }
    }
    return false;
}

int main(void) {
    sb_context ctx;
    sb_registry registry;
    sb_arena arena;
    sb_table claims;
    sb_context_init(&ctx);
    sb_arena_init(&arena, &ctx);
    gsl_test(sb_registry_init(&registry, &ctx) != SB_OK || sb_register_builtins(&registry) != SB_OK, "registry: %s",
             ctx.message);
    gsl_test(sb_claims_read(&ctx, &arena, &claims) != SB_OK, "list of claims: %s", ctx.message);
    gsl_test(claims.nrows == 0, "there are claims");

    for (int i = 0; i < claims.nrows; i++) {
        const char *id = sb_table_text(&claims, i, "id");
        gsl_test_int(mentions(&registry, id, false), 1, "experiments that settle %s", id);
        gsl_test(sb_table_text(&claims, i, "claim")[0] == '\0' || sb_table_text(&claims, i, "where")[0] == '\0' ||
                     sb_table_text(&claims, i, "published")[0] == '\0',
                 "%s says what, where and what was published", id);
        const char *key = sb_table_text(&claims, i, "where");
        const size_t length = strcspn(key, " ");
        gsl_test(strncmp(id, key, length) != 0 || id[length] != '-', "%s begins with its paper's key", id);
        for (int j = 0; j < i; j++) {
            gsl_test(strcmp(id, sb_table_text(&claims, j, "id")) == 0, "%s stands once in the list", id);
        }
    }
    for (int i = 0; i < registry.count[SB_KIND_EXPERIMENT]; i++) {
        const sb_experiment *experiment = (const sb_experiment *)registry.entries[SB_KIND_EXPERIMENT][i];
        gsl_test(experiment->files == NULL || experiment->files[0] == NULL, "%s names its files",
                 experiment->entry.name);
        for (const char *const *claim = experiment->claims; claim != NULL && *claim != NULL; claim++) {
            gsl_test(!is_claim(&claims, *claim), "%s, settled by %s, is in the list of claims", *claim,
                     experiment->entry.name);
        }
        for (const char *const *file = experiment->files; file != NULL && *file != NULL; file++) {
            gsl_test_int(mentions(&registry, *file, true), 1, "experiments that write %s", *file);
        }
    }
    sb_registry_free(&registry);
    sb_arena_free(&arena);
    return gsl_test_summary();
}
