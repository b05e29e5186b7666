/* Texts of the status codes. */
#include <stepbench/status.h>

const char *sb_status_text(int status) {
    switch (status) {
#define SB_STATUS_CASE(name, value, text)                                                                              \
    case value: return text;
        SB_STATUS_LIST(SB_STATUS_CASE)
#undef SB_STATUS_CASE
    default: return "a status that is none of stepbench's";
    }
}
