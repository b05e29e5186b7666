/* The checks of a stepper: names, claims and rows. */
#include "analysis/checks.h"

#include <stdarg.h>
#include <string.h>

#include "analysis/row.h"

const char *const sb_check_name[] = {"",
#define SB_CHECK_NAME(constant, name, ...) name,
                                     SB_CONTRACT_CHECKS(SB_CHECK_NAME) SB_PHYSICS_CHECKS(SB_CHECK_NAME)};
const unsigned sb_check_claim[] = {0,
#define SB_CHECK_CLAIM(constant, name, claim, ...) (unsigned)(claim),
                                   SB_CONTRACT_CHECKS(SB_CHECK_CLAIM) SB_PHYSICS_CHECKS(SB_CHECK_CLAIM)};

bool sb_check_is(const char *name, sb_check_id check) {
    sb_check_id found = SB_CHECK_MOMENTUM;
    for (size_t k = sizeof sb_check_name / sizeof *sb_check_name; k-- > 0;) { /* of two the first */
        found = strcmp(name, sb_check_name[k]) == 0 ? (sb_check_id)k : found;
    }
    return found == check || (found == SB_CHECK_ORDER_V && check == SB_CHECK_ORDER_Q);
}

int sb_check_write(const sb_task *task, const sb_check_result *result, const char *format, ...) {
    static const char *const verdicts[] = {[SB_NO] = "failed", [SB_YES] = "passed", [SB_UNCLEAR] = "unclear"};
    const char *name = result->name != NULL ? result->name : sb_check_name[result->check],
               *remedy = result->remedy != NULL ? result->remedy
                                                : "fewer or longer steps: round-off would hide the defect of a method "
                                                  "of the same order without the property";
    char message[SB_MESSAGE_MAX] = "";
    va_list args;
    va_start(args, format);
    if (result->passed == SB_NO) {
        vsnprintf(message, sizeof message, format, args);
    }
    va_end(args);
    const char *said = result->passed == SB_UNCLEAR                         ? remedy
                       : result->passed == SB_YES && result->remedy != NULL ? result->remedy
                                                                            : message;
    return sb_row(task, SB_CELLS(sb_text(name), sb_text(verdicts[result->passed]), sb_known(result->measured),
                                 sb_known(result->allowed), sb_text(said)));
}
