/* Features of a system, which a stepper has to support, and offers, on which it may rely: sets of bits. */
#ifndef STEPBENCH_FEATURES_H
#define STEPBENCH_FEATURES_H

/* Features of a system that a stepper has to support. X(bit, name in messages and in the matrix, meaning). */
#define SB_FEATURE_LIST(X)                                                                                             \
    X(SB_HAS_FORCE, 0, "forces", "non-potential forces f(t,q,v)")                                                      \
    X(SB_HAS_HOLONOMIC, 1, "holonomic", "holonomic constraints")                                                       \
    X(SB_HAS_CURVED_HOLONOMIC, 2, "curved", "holonomic constraints that are not quadratic in q")                       \
    X(SB_HAS_VARIABLE_MASS, 3, "variable-mass", "a mass matrix that depends on q")                                     \
    X(SB_HAS_NONHOLONOMIC, 5, "nonholonomic", "nonholonomic constraints")                                              \
    X(SB_HAS_CONTACT, 6, "contacts", "unilateral contacts")                                                            \
    X(SB_HAS_FRICTION, 7, "dry-friction", "dry friction")                                                              \
    X(SB_HAS_RHEONOMIC, 8, "rheonomic", "holonomic constraints g(t,q) that depend on time")                            \
    X(SB_HAS_TIME_POTENTIAL, 9, "time-potential", "a potential V(t,q) that depends on time")                           \
    X(SB_HAS_SINGULAR_MASS, 4, "singular-mass", "a mass matrix that is singular off the constraint's tangent space")   \
    X(SB_HAS_REDUNDANT, 10, "redundant", "redundant constraints")

/* What a system provides for a stepper, a formulation or an analysis that needs it. */
#define SB_OFFER_LIST(X)                                                                                               \
    X(SB_OFFERS_CHART, 16, "chart", "a chart of its constraint manifold")                                              \
    X(SB_OFFERS_RIGID, 17, "rigid", "the form of a free rigid body: q a unit quaternion")                              \
    X(SB_OFFERS_EXACT, 18, "exact", "an exact solution")                                                               \
    X(SB_OFFERS_SPRINGS, 19, "springs", "the matrix of its linear, fast springs")                                      \
    X(SB_OFFERS_WORLD, 20, "world", "its bodies in maximal coordinates")

enum {
#define SB_FEATURE_ENUM(name, bit, word, meaning) name = 1 << (bit),
    SB_FEATURE_LIST(SB_FEATURE_ENUM) SB_OFFER_LIST(SB_FEATURE_ENUM)
#undef SB_FEATURE_ENUM
};

#endif
