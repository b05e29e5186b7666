/* Where a result comes from: version, commit, compiler, BLAS, machine, and every resolved parameter, as JSON. */
#ifndef STEPBENCH_CORE_PROVENANCE_H
#define STEPBENCH_CORE_PROVENANCE_H

#include <jansson.h>

#include <stepbench/entry.h>

extern const char sb_version[];

/* A new object: stepbench version, commit and dirty flag (at build), compiler, flags, build type, BLAS and its core type and
 * threads, GSL and other library versions, CPU, operating system. NULL when out of memory. */
json_t *sb_provenance_new(void);
/* The resolved parameters of a configuration. */
json_t *sb_provenance_config(const sb_entry *entry, const void *config);
/* Writes `object` (stolen) to path through a temporary file. */
int sb_provenance_write(sb_context *ctx, json_t *object, const char *path);

#endif
