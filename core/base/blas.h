/* What is known at run time of the BLAS in use. */
#ifndef STEPBENCH_CORE_BASE_BLAS_H
#define STEPBENCH_CORE_BASE_BLAS_H

typedef struct sb_blas {
    const char *
        config; /* of OpenBLAS its version and options; of another BLAS the file that dgemm_ comes from, or "unknown" */
    const char *kernel;             /* of OpenBLAS the kernel in use; of another BLAS "none" */
    int (*get_threads)(void);       /* of OpenBLAS; NULL for another BLAS */
    void (*set_threads)(int count); /* of OpenBLAS; NULL for another BLAS */
} sb_blas;

/* Returns a description of the BLAS that the dynamic linker has chosen. */
sb_blas sb_blas_loaded(void);

#endif
