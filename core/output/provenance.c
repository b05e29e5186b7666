/* Writes the provenance of a result, what it depends on besides its parameters, as a JSON object. */
#include <errno.h>
#include <gsl/gsl_version.h>
#include <lapacke.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <sb_build_info.h>

#include "core/base/blas.h"
#include "core/output/json.h"
#include "core/output/provenance.h"
#include "core/output/sink.h"

const char sb_version[] = SB_VERSION;
const char sb_reference_kernel[] = "Haswell";

static const char unknown[] = "unknown";

/* Copies the processor's name to `out`. Returns false when there is no memory to read it. */
static bool read_cpu_model(char *out, size_t size) {
    char line[256];
    snprintf(out, size, "%s", unknown);
    errno = 0;
    FILE *file = fopen("/proc/cpuinfo", "r");
    const bool known = errno != ENOMEM;
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        const char *colon = strchr(line, ':');
        if (strncmp(line, "model name", 10) == 0 && colon != NULL) {
            line[strcspn(line, "\n")] = '\0';
            snprintf(out, size, "%s", colon + 1 + strspn(colon + 1, " "));
            break;
        }
    }
    if (file != NULL) {
        fclose(file);
    }
    return known;
}

static json_t *libraries(const sb_blas *blas) {
    char lapack[64], jansson[32], libc[64] = "";
    lapack_int major, minor, patch;
    /* Elementary functions differ in the last digit between versions of libc. */
    confstr(_CS_GNU_LIBC_VERSION, libc, sizeof libc);
    LAPACKE_ilaver(&major, &minor, &patch);
    snprintf(lapack, sizeof lapack, "%d.%d.%d", (int)major, (int)minor, (int)patch);
    snprintf(jansson, sizeof jansson, "%s", jansson_version_str());
    return json_pack("{s:s, s:s, s:s, s:s, s:s, s:i}", "libc", libc, "gsl", gsl_version, "jansson", jansson, "lapack",
                     lapack, "blas", blas->config, "blas_threads", blas->get_threads != NULL ? blas->get_threads() : 1);
}

static json_t *machine(void) {
    char cpu[256];
    struct utsname os;
    if (!read_cpu_model(cpu, sizeof cpu)) {
        return NULL;
    }
    const bool known = uname(&os) == 0;
    return json_pack("{s:s, s:I, s:s, s:s, s:s}", "cpu", cpu, "cores", (json_int_t)sysconf(_SC_NPROCESSORS_ONLN),
                     "system", known ? os.sysname : unknown, "release", known ? os.release : unknown, "architecture",
                     known ? os.machine : unknown);
}

static json_t *arithmetic(const sb_blas *blas) {
    const char *kernel = blas->kernel, *asked = getenv("OPENBLAS_CORETYPE");
    const bool pinned = strcmp(kernel, sb_reference_kernel) == 0;
    return json_pack("{s:s, s:s}", "kernel", kernel, "choice",
                     pinned                                            ? "pinned"
                     : asked != NULL && strcasecmp(asked, kernel) == 0 ? "environment"
                                                                       : "processor");
}

json_t *sb_provenance_new(void) {
    const sb_blas blas = sb_blas_loaded();
    return json_pack("{s:s, s:s, s:b, s:s, s:s, s:s, s:o, s:o, s:o}", "stepbench", SB_VERSION, "commit", SB_COMMIT,
                     "dirty", SB_DIRTY, "compiler", SB_COMPILER, "flags", SB_FLAGS, "build_type", SB_BUILD_TYPE,
                     "libraries", libraries(&blas), "machine", machine(), "arithmetic", arithmetic(&blas));
}

/* JSON has no NaN and no infinities: they are written as texts. */
static json_t *real_value(double x) {
    char text[32];
    if (isfinite(x)) {
        return json_real(x);
    }
    sb_format_real(x, text);
    return json_string(text);
}

static json_t *list_value(const sb_reals *list) {
    json_t *array = json_array();
    for (int i = 0; array != NULL && i < list->n; i++) {
        if (json_array_append_new(array, real_value(list->x[i])) != 0) {
            json_decref(array);
            return NULL;
        }
    }
    return array;
}

static json_t *choice_value(const char *choices, int index) {
    for (; index > 0 && strchr(choices, '|') != NULL; index--) {
        choices = strchr(choices, '|') + 1;
    }
    return json_stringn(choices, strcspn(choices, "|"));
}

static json_t *param_value(const sb_param *p, const void *config) {
    const void *at = (const char *)config + p->offset;
    switch (p->type) {
    case SB_REAL: return real_value(*(const double *)at);
    case SB_INT: return json_integer(*(const long *)at);
    case SB_CHOICE: return choice_value(p->choices, *(const int *)at);
    case SB_REALS:
        return p->choices != NULL && ((const sb_reals *)at)->n == 0 ? json_string(p->choices) : list_value(at);
    case SB_TEXT: break;
    }
    const char *word = *(const char *const *)at;
    return json_string(word != NULL ? word : "");
}

json_t *sb_provenance_config(const sb_entry *entry, const void *config) {
    json_t *object = json_object();
    for (const sb_param *p = entry->params; object != NULL && p != NULL && p->name != NULL; p++) {
        if (json_object_set_new(object, p->name, param_value(p, config)) != 0) {
            json_decref(object);
            return NULL;
        }
    }
    return object;
}

int sb_provenance_write(sb_context *ctx, json_t *object, const char *path) {
    if (object == NULL) {
        return sb_fail(ctx, SB_NO_MEMORY, "out of memory while writing %s", path);
    }
    sb_outfile file;
    SB_SCRATCH(arena, ctx);
    int status = sb_outfile_open(ctx, &arena, path, &file);
    if (status == SB_OK) {
        status = sb_json_write(ctx, file.stream, object, JSON_INDENT(2));
        fputc('\n', file.stream);
        status = sb_outfile_close(&file, status);
    }
    json_decref(object);
    return status;
}
