#ifndef HOST_SEQ_RECORD_CHOICE_H
#define HOST_SEQ_RECORD_CHOICE_H

#include <stdint.h>

#include "clalign/status.h"

#define LISTED_NAMES 5
#define LISTED_NAME_SIZE 48

/* How well a record fits a selection; a better fit replaces a worse one. */
typedef enum record_fit {
  FIT_NONE,
  FIT_ONLY,  /* no record was named: right if it is the only one */
  FIT_RANGE, /* the selection is its name, ':' and a range */
  FIT_NAME,  /* the selection is its name */
} record_fit;

/* Which record of a file a selection means: what follows the colon of a location. */
typedef struct record_choice {
  const char *selection; /* NULL: none */
  int64_t prefix;        /* letters before the selection's last colon, -1 if it has none */
  record_fit fit;        /* of the record that was taken */
  int64_t same;          /* records that fit as well as it does */
  char listed[LISTED_NAMES * (LISTED_NAME_SIZE + 4) + 8]; /* the first records' names for messages */
} record_choice;

void record_choice_begin(record_choice *choice, const char *selection);

/* How well record `number`, counted from 1, fits. */
record_fit record_choice_fit(const record_choice *choice, const char *name, int64_t number);

/* Notes the name of record `number` for messages; of the first ones. */
void record_choice_list(record_choice *choice, const char *name, int64_t number);

/* Whether there is one record to take: CLA_ERROR_INPUT says why not. `records` is how many the file has,
 * `name` is that of the record that was taken, `marker` begins its header, and `file` is for messages. */
cla_status record_choice_verdict(const record_choice *choice, int64_t records, const char *name, char marker,
                                 const char *file, cla_error *error);

/* What of the selection is the range within the record; NULL: nothing. */
const char *record_choice_range(const record_choice *choice);

#endif
