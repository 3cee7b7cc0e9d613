#ifndef HOST_WRITE_VCF_RECORD_H
#define HOST_WRITE_VCF_RECORD_H

#include "seq/reverse_complement.h"
#include "write/writer.h"

/* A difference between target and query, as VCF has it: `deleted` letters of the target from `target` on have
 * the place of `inserted` letters of the query from `query` on (on the strand that was aligned). An
 * insertion or a deletion stands beside a letter of both. */
typedef struct vcf_difference {
  int64_t target, deleted;
  int64_t query, inserted;
  bool before; /* the first of the deleted letters is one that the query has, too, before the inserted ones */
  bool needs_after; /* at the contig's first letter: the next pair's letters are still to come to both */
} vcf_difference;

/* Writes the differences along a path as records in the order of their positions. */
typedef struct vcf_records {
  FILE *file;
  const char *contig;     /* not owned */
  const char *query_name; /* told with each record; NULL: it is not */
  strand_letters query, target;
  bool has_pending;
  vcf_difference pending; /* not yet written: the next one may touch it */
  int64_t equal;          /* pairs of equal letters since then, or since the path's start */
} vcf_records;

/* The letters by their codes: VCF has A, C, G, T, and N for all others. */
extern const char vcf_letters[];

/* So many pairs of letters, which may be equal or not, from these positions on. */
void vcf_records_pairs(vcf_records *records, int64_t query, int64_t target, int64_t length);

/* A gap, or several that touch: never two calls without a pair between them. */
void vcf_records_gap(vcf_records *records, int64_t query, int64_t inserted, int64_t target, int64_t deleted);

/* Writes what is pending. */
void vcf_records_end(vcf_records *records);

#endif
