#ifndef HOST_WRITE_FORMAT_ENTRY_H
#define HOST_WRITE_FORMAT_ENTRY_H

#include "result/alignment.h"
#include "write/writer.h"

/* A format: what it can hold, and who writes it. */
typedef struct format_entry {
  cla_format_facts facts;
  cla_status (*write)(const write_job *job, cla_error *error);
  bool by_pair; /* of many pairs, the text of each depends on it alone */
} format_entry;

/* NULL if there is no such format. */
const format_entry *format_entry_find(cla_format format);

/* Refuses what the format cannot hold, CLA_ERROR_OPTION, and gives the job the sequences as the alignments'
 * positions have them. `entry` may be NULL. Ends with rotated_pair_free, also after an error. */
cla_status write_job_prepare(write_job *job, rotated_pair *pair, const format_entry *entry, cla_error *error);

#endif
