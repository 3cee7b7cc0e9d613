#ifndef HOST_BASE_ERROR_H
#define HOST_BASE_ERROR_H

#include <stddef.h>

#include "clalign/status.h"

/* Sets the message (printf form) and returns `status`, so that a failing function can end with
 * `return error_set(error, CLA_ERROR_INPUT, ...)`. Control characters become '?', but with CLA_ERROR_DEVICE.
 */
cla_status error_set(cla_error *error, cla_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Adds a word to a list for a message, such as "a, b and c"; `joint` stands before all but the first. */
void error_list_add(char *list, size_t size, const char *word, const char *joint);

/* The remedy for a failed output with that errno, as the end of a one-line message; static. */
const char *output_remedy(int error_number);

/* The remedy for a value that another stage contradicts. It ends each message about such a value. */
#define WRONG_VALUE_REMEDY \
  "try another --device or --kernel, and please report this with what --explain prints"

/* Adds a device and its kernel to a message that ends with WRONG_VALUE_REMEDY. Other messages are not
 * changed. */
void wrong_value_add_device(cla_error *error, const char *device, const char *kernel);

#endif
