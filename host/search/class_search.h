#ifndef HOST_SEARCH_CLASS_SEARCH_H
#define HOST_SEARCH_CLASS_SEARCH_H

#include "search/search.h"
#include "tuning/tuning_record.h"

/* What was found for one size class and mode: entries from the fastest on, one for each variant that some
 * scheme may need. */
typedef struct class_result {
  tuning_entry entries[SEARCH_VARIANTS_MOST];
  int count;
  char text[256]; /* one line for people */
} class_result;

/* Searches one size class. `earlier` are entries that may be good to start from, those of the class below and
 * of the other mode. Stops searching at `deadline_seconds` (machine_seconds), and is done some time after it.
 * CLA_ERROR_DEVICE if no config works at all. */
cla_status class_search(class_result *out, search *s, bool local, int64_t length,
                        const tuning_record *earlier, double deadline_seconds, cla_error *error);

#endif
