#ifndef HOST_CLI_REPORT_JSON_TEXT_H
#define HOST_CLI_REPORT_JSON_TEXT_H

#include <jansson.h>

/* A string of a driver's text, which is not always UTF-8 as JSON must be: then other letters than ASCII
 * become '?'. NULL when memory is short. */
json_t *json_driver_text(const char *text);

#endif
