/* What every registered entry owes its user: a proper unique name, a brief, a reference that resolves, documented
 * parameters whose defaults parse and lie in their range, and refusal of what lies outside. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <gsl/gsl_test.h>

#include "analysis/analysis.h"
#include "bench/runner/experiment.h"
#include "bench/runner/registry.h"
#include "tests/bibliography.h"

/* A value below the lower end, above the upper, and no number at all; the message names the parameter. */
static void refusals(sb_context *ctx, sb_arena *arena, const sb_entry *entry, const sb_param *param, void *config) {
    const bool number = param->type == SB_REAL || param->type == SB_INT || param->type == SB_REALS;
    if (!number && param->type != SB_CHOICE) {
        return;
    }
    char below[64], above[64];
    snprintf(below, sizeof below, "%.17g", param->lo - fabs(param->lo) - 1.0);
    snprintf(above, sizeof above, "%.17g", param->hi + fabs(param->hi) + 1.0);
    const char *bad[] = {"no_such_word", number ? "nan" : "", number && isfinite(param->lo) ? below : "?",
                         number && isfinite(param->hi) ? above : "?", NULL};
    for (int i = 0; bad[i] != NULL; i++) {
        const int status = sb_config_set(ctx, arena, entry, param->name, bad[i], config);
        gsl_test(status != SB_BAD_USAGE, "%s refuses %s=%s (status %d)", entry->name, param->name, bad[i], status);
        gsl_test(strstr(ctx->message, param->name) == NULL, "%s: the refusal of %s=%s names the parameter: %s",
                 entry->name, param->name, bad[i], ctx->message);
    }
}

static void parameters(sb_context *ctx, sb_arena *arena, const sb_entry *entry) {
    void *config = calloc(1, entry->config_size + 1);
    gsl_test(sb_config_parse(ctx, arena, entry, NULL, config) != SB_OK, "%s: its defaults parse: %s", entry->name,
             ctx->message);
    for (const sb_param *param = entry->params; param != NULL && param->name != NULL; param++) {
        gsl_test(param->doc == NULL || param->doc[0] == '\0', "%s: parameter %s is documented", entry->name,
                 param->name);
        gsl_test(param->unit == NULL, "%s: parameter %s has a unit or \"\"", entry->name, param->name);
        gsl_test(param->offset >= entry->config_size, "%s: parameter %s lies inside the configuration", entry->name,
                 param->name);
        gsl_test((param->type == SB_CHOICE) != (param->choices != NULL) && param->type != SB_REALS,
                 "%s: parameter %s has choices if it is a choice, or a word for an empty list", entry->name,
                 param->name);
        for (const sb_param *other = entry->params; other < param; other++) {
            gsl_test(strcmp(param->name, other->name) == 0, "%s: parameter %s is listed once", entry->name,
                     param->name);
        }
        if (param->initial != NULL && param->initial[0] != '\0') {
            gsl_test(sb_config_set(ctx, arena, entry, param->name, param->initial, config) != SB_OK,
                     "%s: the default %s=%s is accepted: %s", entry->name, param->name, param->initial, ctx->message);
        }
        refusals(ctx, arena, entry, param, config);
    }
    gsl_test(sb_config_parse(ctx, arena, entry, "no_such_parameter=1", config) != SB_BAD_USAGE,
             "%s refuses an unknown parameter", entry->name);
    free(config);
}

static bool one_line(const char *text) { return text != NULL && text[0] != '\0' && strchr(text, '\n') == NULL; }

static void entry_facts(const char *bibliography, const sb_registry *registry, sb_kind kind, const sb_entry *entry) {
    gsl_test(!islower((unsigned char)entry->name[0]) ||
                 strspn(entry->name, "abcdefghijklmnopqrstuvwxyz0123456789_") != strlen(entry->name),
             "%s \"%s\": its name is lower-case words", sb_kind_name[kind], entry->name);
    int namesakes = 0;
    for (int k = 0; k < SB_KIND_COUNT; k++) {
        for (int i = 0; i < registry->count[k]; i++) {
            namesakes += strcmp(registry->entries[k][i]->name, entry->name) == 0;
        }
    }
    gsl_test(namesakes != 1, "%s: its name is its own", entry->name);
    gsl_test(!one_line(entry->brief), "%s: has a brief of one line", entry->name);
    gsl_test(!one_line(entry->ref), "%s: has a reference", entry->name);
    gsl_test(entry->ref == NULL || !references_resolve(bibliography, entry->ref),
             "%s: \"%s\" resolves in docs/references.bib", entry->name, entry->ref);
}

int main(void) {
    sb_context ctx;
    sb_arena arena;
    sb_registry registry;
    sb_context_init(&ctx);
    sb_arena_init(&arena, &ctx);
    char *bibliography = read_bibliography();
    if (bibliography == NULL || sb_registry_init(&registry, &ctx) != SB_OK) {
        gsl_test(1, "bibliography and registry are there");
        return gsl_test_summary();
    }
    gsl_test(sb_register_builtins(&registry) != SB_OK || sb_experiments_describe(&ctx, &arena, &registry) != SB_OK,
             "built-ins register: %s", ctx.message);
    for (int kind = 0; kind < SB_KIND_COUNT; kind++) {
        gsl_test(registry.count[kind] == 0, "there are %s", sb_kind_plural[kind]);
        for (int i = 0; i < registry.count[kind]; i++) {
            entry_facts(bibliography, &registry, (sb_kind)kind, registry.entries[kind][i]);
            parameters(&ctx, &arena, registry.entries[kind][i]);
        }
    }
    gsl_test(references_resolve(bibliography, "nobody99 (1)"), "an unknown key does not resolve");
    sb_registry_free(&registry);
    sb_arena_free(&arena);
    free(bibliography);
    return gsl_test_summary();
}
