/* Makes results independent of the processor: selects OpenBLAS' kernel before anything is computed. */
#include "bench/cli/arithmetic.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/blas.h"
#include "core/output/provenance.h"

#if defined(__x86_64__) && defined(__linux__)
#include <sys/auxv.h>

/* The reference kernel uses AVX2 and FMA; OpenBLAS does not check that the processor has them. */
static bool selectable(const sb_blas *blas) {
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
           strstr(blas->config, "DYNAMIC_ARCH") != NULL;
}

/* AT_EXECFN is the path that the kernel executed: it needs neither /proc nor a search of PATH, and the process keeps
 * its name. */
static void restart(char *const *argv) {
    const char *program = (const char *)getauxval(AT_EXECFN);
    if (program != NULL) {
        execv(program, argv);
    }
}
#else
static bool selectable(const sb_blas *blas) { return false; }

static void restart(char *const *argv) { (void)argv; }
#endif

void cli_pin_arithmetic(char *const *argv) {
    const sb_blas blas = sb_blas_loaded();
    if (getenv("OPENBLAS_CORETYPE") != NULL || strcmp(blas.kernel, sb_reference_kernel) == 0 || !selectable(&blas)) {
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
