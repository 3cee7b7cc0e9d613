#ifndef HOST_BASE_ERROR_H
#define HOST_BASE_ERROR_H

#include <stddef.h>

#include "clalign/status.h"

/* Sets the message (printf form) and returns `status`, so that a failing function can end with `return
 * error_set(error, CLA_ERROR_INPUT, ...)`. Control characters become '?', except with CLA_ERROR_DEVICE, whose
 * message may be a build log. */
cla_status error_set(cla_error *error, cla_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Appends `word` to a list for a message, such as "a, b and c". `joint` is put before each word but the
 * first. */
void error_list_add(char *list, size_t size, const char *word, const char *joint);

/* Returns advice for a user whose output has failed with that errno: a static text, the end of a one-line
 * message. */
const char *output_remedy(int error_number);

/* Sets and returns the error of an output that cannot be written. The message contains `path` or, if that is
 * NULL, the description `what`. `error_number` is the errno of the failure, or 0. The function also sets
 * errno, so that a caller may exit quietly on EPIPE. */
cla_status output_failed(const char *path, const char *what, int error_number, cla_error *error);

/* Advice for a user if two stages compute different values. Every message about such values ends with it. */
#define WRONG_VALUE_REMEDY \
  "try another --device or --kernel, and please report this with what --explain prints"

/* Adds a device and its kernel to a message that ends with WRONG_VALUE_REMEDY. Other messages are not
 * changed. */
void wrong_value_add_device(cla_error *error, const char *device, const char *kernel);

#endif
