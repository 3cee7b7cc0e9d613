#ifndef HOST_BASE_ERROR_H
#define HOST_BASE_ERROR_H

#include "clalign/status.h"

/* Sets the message (printf form) and returns `status`, so that a failing function can end with
 * `return error_set(error, CLA_ERROR_INPUT, ...)`. Control characters become '?', but with CLA_ERROR_DEVICE.
 */
cla_status error_set(cla_error *error, cla_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
