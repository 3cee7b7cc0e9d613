#ifndef HOST_WRITE_VCF_CERTAINTY_H
#define HOST_WRITE_VCF_CERTAINTY_H

#include "write/writer.h"

/* What a certificate says about the records of a VCF file. */

/* A difference between target and query: `deleted` letters of the target from `target` on are replaced by
 * `inserted` letters of the query from `query` on (on the strand that was aligned). */
typedef struct vcf_difference {
  int64_t target, deleted;
  int64_t query, inserted;
} vcf_difference;

/* The columns of an alignment, to be found by their letters. The caller frees `columns`. */
typedef struct vcf_columns {
  const cla_certificate *certificate; /* NULL: none */
  const cla_alignment *alignment;
  int64_t
      *columns; /* by run of the path: number of columns, query letters and target letters before it; owned */
} vcf_columns;

/* Lists the columns of the job's alignment. Without a certificate there is nothing to list.
 * CLA_ERROR_MEMORY. */
cla_status vcf_columns_make(vcf_columns *out, const write_job *job, size_t index, int64_t query_start,
                            cla_error *error);

/* Prints the FILTER and INFO of a record, with a tab between. `columns` has a certificate. */
void vcf_certainty_print(FILE *file, const vcf_columns *columns, const vcf_difference *record,
                         const strand_letters *target);

/* Prints the head lines of FILTER and INFO. `certificate` is NULL for a file of several certificates. */
void vcf_certainty_head(FILE *file, const cla_certificate *certificate, const cla_scoring *scoring);

#endif
