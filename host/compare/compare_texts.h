#ifndef HOST_COMPARE_COMPARE_TEXTS_H
#define HOST_COMPARE_COMPARE_TEXTS_H

#include <stdio.h>

#include "clalign/compare_write.h"
#include "write/record_names.h"

/* What is needed to write the texts of a comparison. */
typedef struct compare_job {
  FILE *file;
  const cla_comparison *comparison;
  const cla_events *events;
  const char *command; /* without line breaks; NULL: none */
  int64_t mask_below;  /* letters with a lower margin are not callable, in thousandths of a point */
  char **names[2];     /* names of the query's and of the target's records, without spaces */
} compare_job;

/* Write the texts. Output errors are left in the stream's error flag. CLA_ERROR_MEMORY; write_compare_vcf
 * also CLA_ERROR_OPTION and CLA_ERROR_INPUT. */
cla_status write_compare_summary(const compare_job *job, cla_error *error);
cla_status write_compare_json(const compare_job *job, cla_error *error);
cla_status write_compare_blocks(const compare_job *job, cla_error *error);
cla_status write_compare_events(const compare_job *job, cla_error *error);
cla_status write_compare_unaligned(const compare_job *job, bool query);
cla_status write_compare_vcf(const compare_job *job, cla_error *error);
cla_status write_compare_callable(const compare_job *job, cla_error *error);

/* Counts over the pieces of a block. */
typedef struct block_counts {
  int64_t matches, mismatches, gaps, gap_letters;
} block_counts;

/* Counts over a block's pieces. CLA_ERROR_VERIFICATION if a piece does not fit its records. */
cla_status block_count(block_counts *out, const cla_comparison *comparison, const cla_block *block,
                       cla_error *error);

/* How certain the differences in primary pieces are. */
typedef struct certainty_counts {
  int64_t pieces, delta;        /* number of pieces; the least of their certificates' deltas */
  int64_t columns;              /* columns of all pieces */
  int64_t ambiguous_columns;    /* columns that other best alignments do not have */
  int64_t gaps;                 /* gaps of all pieces */
  int64_t moving_gaps;          /* gaps that can move over equal letters, and nothing else differs */
  int64_t ambiguous_gaps;       /* gaps in parts with other alignments */
  int64_t ambiguous_snps;       /* unequal pairs that other best alignments do not have */
  int64_t shifts, alternatives; /* number of ambiguous parts, by class */
  int64_t longest_letters;      /* letters of the longest alternative, on the side with more; 0: none */
  cla_interval longest;         /* target letters of the longest alternative */
  int64_t units;                /* units of a point in `delta` */
} certainty_counts;

/* Counts over the primary pieces. Returns false if there are no certificates. */
bool certainty_count(certainty_counts *out, const cla_comparison *comparison);

/* Returns "primary", "query-copy" or "target-copy"; a static string. */
const char *block_role_name(cla_block_role role);

/* The names of the classes of short gaps, such as "2-4". */
extern const char *const indel_class_names[CLA_INDEL_CLASSES];

/* Returns `part` as a percentage of `whole`. Rounding never makes it 0 or 100. */
double compare_percent(int64_t part, int64_t whole);

/* Makes the names of a genome's records by `rule`. An empty name becomes `fallback`. The caller calls
 * compare_names_free, also after an error. CLA_ERROR_MEMORY. */
cla_status compare_names_make(char ***out, const cla_genome *genome, clean_rule rule, const char *fallback,
                              cla_error *error);
void compare_names_free(char **names, size_t count);

/* Returns the record's name; "." if there is no record. */
const char *compare_name(const compare_job *job, bool query, size_t record);

#endif
