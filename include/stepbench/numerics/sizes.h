/* Instances of a function for the sizes of small systems. Instructions per step without and with them, and with the
 * calls of a step and of its Newton iterations inlined: on oscillator verlet 129 and 99, rk4 478 and 331, spook 281 and
 * 214, midpoint 1901 and 1028; on kepler rk4 667 and 499, midpoint 2114 and 1480; on pendulum shake 902 and 726, rattle
 * 1236 and 853, spook 729 and 504, del 3266 and 1835, em 2618 and 1867; on dsp shake 2129 and 1660, rattle 2890 and
 * 2089, spook 1398 and 1029, del 6702 and 4452, em 5369 and 4110. What is left is hidden in part behind the latency of
 * numbers that a step writes and reads again: the time of verlet on oscillator does not change. */
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
