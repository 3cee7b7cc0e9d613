#ifndef HOST_WRITE_VCF_RECORD_H
#define HOST_WRITE_VCF_RECORD_H

#include "seq/sequence.h"
#include "write/writer.h"

/* A difference between target and query: `deleted` letters of the target from `target` on have the place of
 * `inserted` letters of the query from `query` on (on the strand that was aligned). */
typedef struct vcf_difference {
  int64_t target, deleted;
  int64_t query, inserted;
} vcf_difference;

/* A path whose differences VCF has as records. It begins and ends at these positions. */
typedef struct vcf_records {
  FILE *file;
  const char *contig;     /* not owned */
  const char *query_name; /* told with each record; NULL: it is not */
  strand_letters query, target;
  int64_t query_start, target_start, target_stop;
} vcf_records;

/* The letters by their codes: VCF has A, C, G, T, and N for all others. */
extern const char vcf_letters[];

/* `list` has the path's gaps in order, those that touch as one. Each becomes the shortest difference, as far
 * left as it goes, together with unlike pairs and gaps that it then touches. Returns how many are left, the
 * last ones of the list. */
size_t vcf_differences_settle(const vcf_records *records, vcf_difference *list, size_t count);

/* Writes settled differences, and the unlike pairs between them, in the order of their positions. */
void vcf_records_print(const vcf_records *records, const vcf_difference *list, size_t count);

#endif
