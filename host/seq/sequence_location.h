#ifndef HOST_SEQ_SEQUENCE_LOCATION_H
#define HOST_SEQ_SEQUENCE_LOCATION_H

#include <stdbool.h>
#include <stdint.h>

#include "clalign/status.h"

/* A location FILE, FILE:SELECTION, - or -:SELECTION, split at the right colon. What a selection means
 * (a record, a range, or both) can only be told with the records' names at hand. */
typedef struct sequence_location {
  char *file;            /* "-" is the standard input; owned */
  const char *selection; /* what follows the colon, within the caller's `location`; NULL: nothing */
} sequence_location;

/* Splits at the colon that leaves the longest name of something that exists. CLA_ERROR_INPUT if nothing
 * of that name exists, CLA_ERROR_MEMORY. `location` must outlive *out. */
cla_status sequence_location_split(sequence_location *out, const char *location, cla_error *error);
void sequence_location_free(sequence_location *location);

/* Whether `text` has the form FROM-TO or FROM-: digits with commas as thousands separators. */
bool sequence_range_form(const char *text);

/* Parses FROM-TO or FROM- (1-based inclusive) against a record of `length` >= 1 letters into a 0-based
 * half-open range. CLA_ERROR_INPUT says what is wrong; `record` describes the record for the message. */
cla_status sequence_range_parse(int64_t *begin, int64_t *end, const char *text, int64_t length,
                                const char *record, cla_error *error);

#endif
