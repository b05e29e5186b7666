/* What a problem may say of its motion: momenta that are conserved, and outputs by name. */
#ifndef STEPBENCH_TERMS_OUTPUTS_H
#define STEPBENCH_TERMS_OUTPUTS_H

#include <stdbool.h>

#include <stepbench/scalar.h>

/* Momenta p . xi(q), conserved by the exact flow. xi is affine in q for every momentum listed. */
typedef struct sb_symmetry {
    const void *self;
    int count;
    const char *const *names; /* "Jz" */
    /* Sets xi (n) of momentum i. */
    int (*generator)(const void *self, int i, const sb_scalar *q, sb_scalar *xi);
} sb_symmetry;

typedef struct sb_output {
    const char *name, *unit, *doc;
    bool invariant; /* constant along exact solutions */
} sb_output;

/* Named scalar outputs beside energy and momenta. */
typedef struct sb_outputs {
    const void *self;
    int count;
    const sb_output *list;
    /* Sets `count` values. */
    int (*value)(const void *self, sb_scalar t, const sb_scalar *q, const sb_scalar *v, sb_scalar *out);
} sb_outputs;

#endif
