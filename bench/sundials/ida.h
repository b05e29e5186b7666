/* The work of IDA: the implicit equations of motion and their sparse Jacobian. */
#ifndef STEPBENCH_BENCH_SUNDIALS_IDA_H
#define STEPBENCH_BENCH_SUNDIALS_IDA_H

#include <sundials/sundials_matrix.h>

#include "bench/sundials/solver.h"

typedef struct ida {
    solver s;
    void *memory;
    N_Vector rate;
    bool stabilised;
    int size;     /* unknowns: q, v, lambda and, stabilised, mu */
    sb_pattern J; /* of F_y + cj F_y' */
    int *group;   /* of a column; columns of a group have no row in common */
    int groups;
    double *force, *rates, *Gx, *Ax, *Hx;

} ida;

/* F(t, y, y'), as IDA calls it. */
int ida_residual(double t, N_Vector y, N_Vector dydt, N_Vector r, void *self);

int ida_matrix_init(sb_method *me, ida *w);
/* F_y + cj F_y' by differences, as IDA calls it. */
int ida_jacobian(double t, double cj, N_Vector y, N_Vector dydt, N_Vector r, SUNMatrix matrix, void *self, N_Vector a,
                 N_Vector b, N_Vector c);

#endif
