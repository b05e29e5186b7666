/* The registry: names are unique and well formed, unknown ones are answered with the nearest, globs match in order. */
#include <stdio.h>
#include <string.h>

#include <gsl/gsl_test.h>

#include "core/base/registry.h"

static const sb_entry apple = {.name = "apple"}, apple_pie = {.name = "apple_pie"}, banana = {.name = "banana"},
                      cherry = {.name = "cherry"};

static void nearest(const char *name, const char *expected) {
    static const char *const names[] = {"euler_explicit",
                                        "euler_implicit",
                                        "euler_symplectic",
                                        "verlet",
                                        "midpoint",
                                        "rk4",
                                        "del",
                                        "shake",
                                        "rattle",
                                        "dvp",
                                        "em"};
    char out[200];
    sb_nearest_names(name, 11, names, out, sizeof out);
    gsl_test(strcmp(out, expected) != 0, "nearest to %s: \"%s\"", name, out);
}

static void refused(sb_registry *registry, const char *name, const char *words) {
    const sb_entry entry = {.name = name};
    gsl_test(sb_registry_add(registry, SB_KIND_STEPPER, &entry) != SB_BAD_USAGE ||
                 strstr(registry->arena.ctx->message, words) == NULL,
             "the name \"%s\" is refused: %s", name, registry->arena.ctx->message);
}

int main(void) {
    sb_context ctx;
    sb_registry registry;
    sb_context_init(&ctx);
    gsl_test(sb_registry_init(&registry, &ctx) != SB_OK || ctx.registry != &registry, "the context knows the registry");

    nearest("verlett", "verlet");
    nearest("vrelet", "verlet");
    nearest("Verlet", "verlet");
    nearest("rk", "rk4");
    nearest("rk5", "rk4");
    nearest("euler", "euler_explicit, euler_implicit and euler_symplectic");
    nearest("euler_implict", "euler_implicit, euler_explicit and euler_symplectic");
    nearest("quaternion", "");

    gsl_test(sb_registry_add(&registry, SB_KIND_STEPPER, &apple) != SB_OK ||
                 sb_registry_add(&registry, SB_KIND_STEPPER, &banana) != SB_OK ||
                 sb_registry_add(&registry, SB_KIND_STEPPER, &apple_pie) != SB_OK ||
                 sb_registry_add(&registry, SB_KIND_PROBLEM, &cherry) != SB_OK,
             "entries are added: %s", ctx.message);
    gsl_test(sb_registry_find(&ctx, SB_KIND_STEPPER, "banana") != &banana, "what is added is found");
    gsl_test(sb_registry_find(&ctx, SB_KIND_STEPPER, "bananna") != NULL ||
                 strstr(ctx.message, "nearest: banana") == NULL,
             "unknown: %s", ctx.message);
    gsl_test(sb_registry_find(&ctx, SB_KIND_STEPPER, "cherry") != NULL ||
                 strstr(ctx.message, "is no stepper but a problem") == NULL,
             "another kind: %s", ctx.message);
    gsl_test(sb_registry_find(&ctx, SB_KIND_PROBLEM, "zzz") != NULL || strstr(ctx.message, "list problems") == NULL,
             "nothing near: %s", ctx.message);
    refused(&registry, "apple", "there already");
    refused(&registry, "cherry", "a problem of this name");
    refused(&registry, "Apple", "lower-case");
    refused(&registry, "a__b", "lower-case");
    refused(&registry, "_a", "lower-case");
    refused(&registry, "a_", "lower-case");
    refused(&registry, "4a", "lower-case");
    refused(&registry, "a-b", "lower-case");
    refused(&registry, "", "lower-case");

    gsl_test(sb_registry_match(&registry, SB_KIND_STEPPER, "apple*", 0) != &apple ||
                 sb_registry_match(&registry, SB_KIND_STEPPER, "apple*", 1) != &apple_pie ||
                 sb_registry_match(&registry, SB_KIND_STEPPER, "apple*", 2) != NULL ||
                 sb_registry_match(&registry, SB_KIND_STEPPER, "cherry", 0) != NULL,
             "globs match within the kind, in the order of registration");
    char names[100][16];
    sb_entry many[100];
    memset(many, 0, sizeof many);
    for (int i = 0; i < 100; i++) {
        snprintf(names[i], sizeof names[i], "n%d", i);
        many[i].name = names[i];
        gsl_test(sb_registry_add(&registry, SB_KIND_SOLVER, &many[i]) != SB_OK, "there is room for %s", names[i]);
    }
    gsl_test(sb_registry_find(&ctx, SB_KIND_SOLVER, "n0") != &many[0] ||
                 sb_registry_find(&ctx, SB_KIND_SOLVER, "n99") != &many[99],
             "all of them are found");
    sb_registry_free(&registry);
    return gsl_test_summary();
}
