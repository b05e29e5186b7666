/* Describes the BLAS that the program runs with. */
#pragma once

typedef struct sb_blas {
    const char *config;       /* OpenBLAS: its version and options; another BLAS: the file of dgemm_, or "unknown" */
    const char *kernel;       /* OpenBLAS: the kernel in use; another BLAS: "none" */
    int (*get_threads)(void); /* NULL for another BLAS than OpenBLAS */
    void (*set_threads)(int count); /* NULL for another BLAS than OpenBLAS */
} sb_blas;

/* Returns a description of the BLAS that the dynamic linker has chosen. */
sb_blas sb_blas_loaded(void);
