/* The binary interface of include/stepbench: a plug-in compiled against one SB_ABI finds every size, offset and value
 * where it was, those of the helpers in numerics/ as well, which a stepper holds in its work. abi.def records them for
 * the ABI of 64-bit Unix (LP64); where another data model applies, there is nothing to compare. */
#include <stddef.h>

#include <gsl/gsl_test.h>

#include <stepbench/numerics/contact.h>
#include <stepbench/numerics/dynamics.h>
#include <stepbench/numerics/kkt.h>
#include <stepbench/numerics/lagrangian.h>
#include <stepbench/numerics/lcp.h>
#include <stepbench/numerics/saddle.h>
#include <stepbench/numerics/schur.h>
#include <stepbench/numerics/sparse_product.h>
#include <stepbench/numerics/steps.h>
#include <stepbench/stepbench.h>

#define ADVICE "raise SB_ABI in include/stepbench/plugin.h and record the new number and layout in tests/core/abi.def"

#define SB_ABI_RECORDED(number)                                                                                        \
    gsl_test((number) != SB_ABI, "SB_ABI is %d and the recorded layout that of %d: " ADVICE, SB_ABI, number);
#define SB_ABI_SIZE(type, bytes)                                                                                       \
    gsl_test(sizeof(type) != (bytes), "sizeof(" #type ") is %zu, %d in SB_ABI %d: " ADVICE, sizeof(type), bytes,       \
             SB_ABI);
#define SB_ABI_FIELD(type, member, bytes)                                                                              \
    gsl_test(offsetof(type, member) != (bytes), #type "." #member " is at %zu, at %d in SB_ABI %d: " ADVICE,           \
             offsetof(type, member), bytes, SB_ABI);
#define SB_ABI_VALUE(name, value)                                                                                      \
    gsl_test((int)(name) != (value), #name " is %d, %d in SB_ABI %d: " ADVICE, (int)(name), value, SB_ABI);

int main(void) {
    const bool lp64 = sizeof(int) == 4 && sizeof(long) == 8 && sizeof(void *) == 8;
    if (lp64) {
#include "tests/core/abi.def"
    }
    gsl_test(!lp64 && sizeof(long) == 8 && sizeof(void *) == 8,
             "the layout was compared, or the data model is not LP64");
    return gsl_test_summary();
}
