/* Provenance: what must be said about a build and a machine is said, and parameters are recorded as they are. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <gsl/gsl_test.h>

#include <stepbench/context.h>

#include "core/base/blas.h"
#include "core/output/provenance.h"

typedef struct config {
    double h, end;
    long steps;
    int scheme;
    sb_reals masses;
    const char *note;
} config;

static const sb_param params[] = {
    SB_PARAM_REAL(config, h, "1", 0, 1, SB_CLOSED, "s", ""),
    SB_PARAM_REAL(config, end, "inf", 0, INFINITY, SB_CLOSED, "s", ""),
    SB_PARAM_INT(config, steps, "1", 0, 1, ""),
    {"scheme", SB_CHOICE, offsetof(config, scheme), "left", 0, 0, SB_CLOSED, "midpoint|left", "", ""},
    {"masses", SB_REALS, offsetof(config, masses), "", 0, 1, SB_CLOSED, NULL, "kg", ""},
    SB_PARAM_TEXT(config, note, "", ""),
    {0},
};

static void build_and_machine(void) {
    static const char *const keys[] = {"stepbench", "commit", "compiler", "flags", "build_type"};
    static const char *const libraries[] = {"libc", "gsl", "lapack", "blas", "jansson"};
    static const char *const machine[] = {"cpu", "system", "architecture"};
    json_t *object = sb_provenance_new();
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        const char *value = json_string_value(json_object_get(object, keys[i]));
        gsl_test(value == NULL || value[0] == '\0', "%s is reported: %s", keys[i], value);
    }
    for (size_t i = 0; i < sizeof libraries / sizeof libraries[0]; i++) {
        gsl_test(json_string_value(json_object_get(json_object_get(object, "libraries"), libraries[i])) == NULL,
                 "the version of %s is reported", libraries[i]);
    }
    for (size_t i = 0; i < sizeof machine / sizeof machine[0]; i++) {
        gsl_test(json_string_value(json_object_get(json_object_get(object, "machine"), machine[i])) == NULL,
                 "%s is reported", machine[i]);
    }
    const json_t *arithmetic = json_object_get(object, "arithmetic");
    const char *kernel = json_string_value(json_object_get(arithmetic, "kernel")),
               *choice = json_string_value(json_object_get(arithmetic, "choice"));
    gsl_test(kernel == NULL || strcmp(kernel, sb_blas_loaded().kernel) != 0, "the kernel is what the BLAS says: %s",
             kernel);
    gsl_test(choice == NULL || (strcmp(choice, "pinned") == 0) != (strcmp(kernel, sb_reference_kernel) == 0),
             "pinned means the reference kernel: %s is %s", kernel, choice);
    gsl_test(!json_is_boolean(json_object_get(object, "dirty")), "whether the tree was clean is reported");
    gsl_test(strcmp(json_string_value(json_object_get(object, "stepbench")), sb_version) != 0,
             "the version is the program's");
    json_decref(object);
}

static void parameters(void) {
    double masses[] = {1.0, 0.1};
    const sb_entry entry = {"thing", "", "", params, sizeof(config)};
    const config c = {0.1, INFINITY, 1L << 40, 1, {2, masses}, "word"};
    json_t *before = sb_provenance_config(&entry, &c);
    char *text = json_dumps(before, 0);
    json_t *object = text != NULL ? json_loads(text, 0, NULL) : NULL;
    gsl_test(json_real_value(json_object_get(object, "h")) != 0.1, "a number is recorded exactly");
    gsl_test(strcmp(json_string_value(json_object_get(object, "end")), "inf") != 0, "infinity is recorded as a word");
    gsl_test(json_integer_value(json_object_get(object, "steps")) != 1L << 40, "an integer is recorded");
    gsl_test(strcmp(json_string_value(json_object_get(object, "scheme")), "left") != 0,
             "a choice is recorded by its word");
    gsl_test(json_real_value(json_array_get(json_object_get(object, "masses"), 1)) != 0.1, "a list is recorded");
    gsl_test(strcmp(json_string_value(json_object_get(object, "note")), "word") != 0, "a word is recorded");
    json_decref(before);
    json_decref(object);
    free(text);
}

static void file(void) {
    sb_context ctx;
    char path[] = "/tmp/stepbench-provenance-XXXXXX";
    sb_context_init(&ctx);
    const int handle = mkstemp(path);
    gsl_test(handle < 0 || close(handle) != 0, "a file for the test");
    gsl_test(sb_provenance_write(&ctx, sb_provenance_new(), path) != SB_OK, "it is written: %s", ctx.message);
    json_t *object = json_load_file(path, 0, NULL);
    gsl_test(object == NULL, "it parses");
    json_decref(object);
    remove(path);
    gsl_test(sb_provenance_write(&ctx, sb_provenance_new(), "/nonexistent/x.json") != SB_IO ||
                 strstr(ctx.message, "/nonexistent/x.json") == NULL,
             "no folder: %s", ctx.message);
    gsl_test(sb_provenance_write(&ctx, NULL, path) != SB_NO_MEMORY || access(path, F_OK) == 0,
             "nothing to write is out of memory, and no file");
}

int main(void) {
    build_and_machine();
    parameters();
    file();
    return gsl_test_summary();
}
