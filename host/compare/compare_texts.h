#ifndef HOST_COMPARE_COMPARE_TEXTS_H
#define HOST_COMPARE_COMPARE_TEXTS_H

#include <stdio.h>

#include "clalign/compare_write.h"
#include "write/record_names.h"

/* What the texts of a comparison are made of. */
typedef struct compare_job {
  FILE *file;
  const cla_comparison *comparison;
  const cla_events *events;
  const char *command; /* without line ends; NULL: none */
  char **names[2];     /* of the query's, the target's records, without blanks */
} compare_job;

/* The writers. Output errors are left in the stream's error flag. CLA_ERROR_MEMORY; write_compare_vcf also
 * CLA_ERROR_OPTION and CLA_ERROR_INPUT. */
cla_status write_compare_summary(const compare_job *job, cla_error *error);
cla_status write_compare_json(const compare_job *job, cla_error *error);
cla_status write_compare_blocks(const compare_job *job, cla_error *error);
cla_status write_compare_events(const compare_job *job, cla_error *error);
cla_status write_compare_unaligned(const compare_job *job, bool query);
cla_status write_compare_vcf(const compare_job *job, cla_error *error);
cla_status write_compare_callable(const compare_job *job, cla_error *error);

/* Counts of a block's pieces. */
typedef struct block_counts {
  int64_t matches, mismatches, gaps, gap_letters;
} block_counts;

/* CLA_ERROR_VERIFICATION if a piece does not fit its records. */
cla_status block_count(block_counts *out, const cla_comparison *comparison, const cla_block *block,
                       cla_error *error);

/* "primary", "query-copy" or "target-copy"; static. */
const char *block_role_name(cla_block_role role);

/* The classes of short gaps, such as "2-4". */
extern const char *const indel_class_names[CLA_INDEL_CLASSES];

/* part / whole in percent. It is never 0 or 100 by rounding alone. */
double compare_percent(int64_t part, int64_t whole);

/* The record's name, "." for none. */
const char *compare_name(const compare_job *job, bool query, size_t record);

#endif
