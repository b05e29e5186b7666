/* Makes results independent of the processor: selects OpenBLAS' kernel before anything is computed. */
#include "bench/cli/arithmetic.h"

#include <cblas.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/output/provenance.h"

#if defined(__x86_64__) && defined(__linux__)
#include <sys/auxv.h>

/* The reference kernel uses AVX2 and FMA; OpenBLAS takes the variable's word for it and does not check. */
static bool selectable(void) {
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && strstr(openblas_get_config(), "DYNAMIC_ARCH") != NULL;
}

/* AT_EXECFN is the path that the kernel executed: it needs neither /proc nor a search of PATH, and the process keeps its name. */
static void restart(char *const *argv) {
    const char *program = (const char *)getauxval(AT_EXECFN);
    if (program != NULL) {
        execv(program, argv);
    }
}
#else
static bool selectable(void) {
    return false;
}

static void restart(char *const *argv) {
    (void)argv;
}
#endif

void cli_pin_arithmetic(char *const *argv) {
    if (getenv("OPENBLAS_CORETYPE") != NULL || strcmp(openblas_get_corename(), sb_reference_kernel) == 0 || !selectable()) {
        return;
    }
    const bool threads_given = getenv("OPENBLAS_NUM_THREADS") != NULL;
    if (setenv("OPENBLAS_CORETYPE", sb_reference_kernel, 1) != 0) {
        return;
    }
    setenv("OPENBLAS_NUM_THREADS", "1", 0); /* the default of the program; OpenBLAS starts no threads then */
    restart(argv);
    unsetenv("OPENBLAS_CORETYPE"); /* it would misname the kernel in use */
    if (!threads_given) {
        unsetenv("OPENBLAS_NUM_THREADS");
    }
}
