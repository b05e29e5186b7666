/* The tolerance of a stepper with error control. */
#include "analysis/accuracy/tolerance.h"

#include <string.h>

#include "core/base/params.h"

double sb_tolerance_of(const sb_stepper *stepper, const void *config) {
    if (stepper->control.tolerance == NULL) {
        return 0.0;
    }
    const sb_param *param = sb_param_find(&stepper->entry, stepper->control.tolerance);
    return *(const double *)((const char *)config + param->offset);
}

int sb_tolerance_set(sb_context *ctx, sb_arena *arena, const sb_stepper *stepper, const void *config, double tolerance,
                     const void **out) {
    char value[32], *copy;
    SB_NEW(arena, copy, stepper->entry.config_size);
    memcpy(copy, config, stepper->entry.config_size);
    sb_format_real(tolerance, value);
    *out = copy;
    return sb_config_set(ctx, arena, &stepper->entry, stepper->control.tolerance, value, copy);
}

double sb_claimed_power(const sb_pair *pair) {
    return pair->type->control.tolerance != NULL ? pair->type->control.power
                                                 : sb_stepper_order(pair->type, pair->config, pair->sys->flags);
}
