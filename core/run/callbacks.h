/* The callbacks of the terms of a system, for systems that wrap another one. */
#pragma once

#include <stepbench/system.h>

/* X(group, callback, work, how, parameters, out, inputs...): the work that an evaluation counts as; whether `out`, the
 * last parameter, is SET, or values on H to which is ADDed; the other parameters but self. */
#define SB_INERTIA_CALLBACKS(X)                                                                                        \
    X(inertia, mass, MASS, SET, (const void *self, const sb_scalar *q, sb_scalar *Mx), Mx, q)                          \
    X(inertia, gradient, NONE, SET, (const void *self, const sb_scalar *q, const sb_scalar *v, sb_scalar *Tq), Tq, q,  \
      v)                                                                                                               \
    X(inertia, hessian, HESSIAN, ADD,                                                                                  \
      (const void *self, const sb_scalar *q, const sb_scalar *v, sb_scalar cqq, sb_scalar cqv, sb_scalar cvq,          \
       sb_scalar *Hx),                                                                                                 \
      Hx, q, v, cqq, cqv, cvq)                                                                                         \
    X(inertia, inertial, MASS, SET,                                                                                    \
      (const void *self, const sb_scalar *q, const sb_scalar *v, sb_scalar *Mx, sb_scalar *b), b, q, v, Mx)
#define SB_POTENTIAL_CALLBACKS(X)                                                                                      \
    X(potential, value, NONE, SET, (const void *self, sb_scalar t, const sb_scalar *q, sb_scalar *V), V, t, q)         \
    X(potential, gradient, FORCE, SET, (const void *self, sb_scalar t, const sb_scalar *q, sb_scalar *Vq), Vq, t, q)   \
    X(potential, hessian, HESSIAN, ADD,                                                                                \
      (const void *self, sb_scalar t, const sb_scalar *q, sb_scalar c, sb_scalar *Hx), Hx, t, q, c)                    \
    X(potential, stiffness, HESSIAN, ADD,                                                                              \
      (const void *self, sb_scalar t, const sb_scalar *q, sb_scalar c, sb_scalar *Hx), Hx, t, q, c)                    \
    X(potential, rate, NONE, SET, (const void *self, sb_scalar t, const sb_scalar *q, sb_scalar *Vt), Vt, t, q)        \
    X(potential, springs, NONE, ADD, (const void *self, sb_scalar c, sb_scalar *Hx), Hx, c)
#define SB_FORCE_CALLBACKS(X)                                                                                          \
    X(force, value, FORCE_ALONE, SET,                                                                                  \
      (const void *self, sb_scalar t, const sb_scalar *q, const sb_scalar *v, sb_scalar *f), f, t, q, v)               \
    X(force, jacobian, HESSIAN, ADD,                                                                                   \
      (const void *self, sb_scalar t, const sb_scalar *q, const sb_scalar *v, sb_scalar cq, sb_scalar cv,              \
       sb_scalar *Hx),                                                                                                 \
      Hx, t, q, v, cq, cv)
#define SB_HOLONOMIC_CALLBACKS(X)                                                                                      \
    X(holonomic, value, CONSTRAINT, SET,                                                                               \
      (const void *self, sb_scalar t, const sb_scalar *q, sb_scalar *g, sb_scalar *Gx), Gx, t, q, g)                   \
    X(holonomic, hessian, HESSIAN, ADD,                                                                                \
      (const void *self, sb_scalar t, const sb_scalar *q, const sb_scalar *w, sb_scalar c, sb_scalar *Hx), Hx, t, q,   \
      w, c)                                                                                                            \
    X(holonomic, curvature, HESSIAN, SET,                                                                              \
      (const void *self, sb_scalar t, const sb_scalar *q, const sb_scalar *v, sb_scalar *out), out, t, q, v)           \
    X(holonomic, rate, NONE, SET, (const void *self, sb_scalar t, const sb_scalar *q, sb_scalar *out), out, t, q)
#define SB_NONHOLONOMIC_CALLBACKS(X)                                                                                   \
    X(nonholonomic, value, CONSTRAINT, SET,                                                                            \
      (const void *self, sb_scalar t, const sb_scalar *q, sb_scalar *Ax, sb_scalar *w), w, t, q, Ax)                   \
    X(nonholonomic, rate, HESSIAN, SET,                                                                                \
      (const void *self, sb_scalar t, const sb_scalar *q, const sb_scalar *v, sb_scalar *out), out, t, q, v)           \
    X(nonholonomic, gradient, HESSIAN, SET,                                                                            \
      (const void *self, sb_scalar t, const sb_scalar *q, const sb_scalar *v, sb_scalar *Ax), Ax, t, q, v)
#define SB_CALLBACKS(X)                                                                                                \
    SB_INERTIA_CALLBACKS(X)                                                                                            \
    SB_POTENTIAL_CALLBACKS(X)                                                                                          \
    SB_FORCE_CALLBACKS(X)                                                                                              \
    SB_HOLONOMIC_CALLBACKS(X)                                                                                          \
    SB_NONHOLONOMIC_CALLBACKS(X)

/* Replaces the callbacks of *out, which has those of the system it wraps, by functions NAME_GROUP_CALLBACK with this
 * `self`. Those that the system lacks stay NULL, because its flags follow from them. */
#define SB_WRAP(name, group, callback, out)                                                                            \
    (out)->callback = (out)->callback != NULL ? name##_##group##_##callback : NULL;
