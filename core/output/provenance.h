/* Writes the provenance of a result as JSON: version, commit, compiler, BLAS, machine, and every resolved parameter. */
#pragma once

#include <jansson.h>

#include <stepbench/arena.h>
#include <stepbench/entry.h>

extern const char sb_version[];
/* The OpenBLAS kernel that the committed results are computed with, as OPENBLAS_CORETYPE names it. Every x86-64
 * processor with AVX2 and FMA runs it. */
extern const char sb_reference_kernel[];

/* Returns a new object: stepbench version, commit and dirty flag (at build), compiler, flags, build type, library
 * versions, OpenBLAS' threads, CPU, operating system, and the arithmetic: OpenBLAS' kernel and its choice, "pinned"
 * (the reference kernel), "environment" (named by OPENBLAS_CORETYPE) or "processor" (OpenBLAS' own choice). NULL when
 * out of memory. */
json_t *sb_provenance_new(void);
/* Returns the resolved parameters of a configuration. */
json_t *sb_provenance_config(const sb_entry *entry, const void *config);
/* Writes `object` to a file, under a temporary name until it is complete, and frees it. Fails with SB_NO_MEMORY if it
 * is NULL, with SB_IO. */
int sb_provenance_write(sb_context *ctx, json_t *object, const char *path);
