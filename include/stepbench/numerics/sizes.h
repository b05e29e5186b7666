/* Instances of a function for the sizes of small systems. Instructions per step without and with them, and with the
 * calls of a Newton iteration inlined: midpoint on oscillator 1901 and 1280, rattle there 210 and 137; on pendulum del
 * 3266 and 2295, em 2618 and 1937, generalized_alpha 2796 and 1933, spook 729 and 571, rattle 1236 and 1132; on dsp del
 * 6702 and 5098, em 5369 and 4809, spook 1398 and 1112. Explicit steps without constraints gain nothing. Link-time
 * optimization without instances changes 14 of these counts by -4 % to +6 %. */
#ifndef STEPBENCH_NUMERICS_SIZES_H
#define STEPBENCH_NUMERICS_SIZES_H

/* Where time does not count there are no instances, whose compilation takes seconds per file. */
#if defined SB_QUAD || defined SB_SINGLE || defined __SANITIZE_ADDRESS__ || !defined __OPTIMIZE__
#define SB_ONE_SIZE
#endif

/* X(name, n, m): numbers of coordinates and of constraints that are constants in functions of a step, so that the
 * compiler unrolls their loops: of an oscillator, of a point in the plane, free and on a curve, and of two points in
 * space with two constraints.
 * SB_BY_SIZE calls the always inlined function(..., n, m) with constants for n and m where they are one of these. */
#ifdef SB_ONE_SIZE
#define SB_SIZES(X)
#define SB_BY_SIZE(n, m, function, ...) function(__VA_ARGS__, n, m)
#else
#define SB_SIZES(X) X(1_0, 1, 0) X(2_0, 2, 0) X(2_1, 2, 1) X(6_2, 6, 2)

#define SB_BY_SIZE(n, m, function, ...)                                                                                \
    ((n) == 1 && (m) == 0   ? function(__VA_ARGS__, 1, 0)                                                              \
     : (n) == 2 && (m) == 0 ? function(__VA_ARGS__, 2, 0)                                                              \
     : (n) == 2 && (m) == 1 ? function(__VA_ARGS__, 2, 1)                                                              \
     : (n) == 6 && (m) == 2 ? function(__VA_ARGS__, 6, 2)                                                              \
                            : function(__VA_ARGS__, n, m))
#endif

#define SB_INLINED static inline __attribute__((always_inline))

#endif
