#ifndef HOST_WRITE_WRITER_H
#define HOST_WRITE_WRITER_H

#include "clalign/write.h"

/* What every writer gets. Alignments that have a path fit their sequences (path_check_fit), and they are what
 * the format's cla_format_facts allow. */
typedef struct write_job {
  FILE *file;
  const char *path; /* of the file, for messages; NULL: a stream of the caller's */
  const cla_alignment *const *alignments;
  size_t count;
  const cla_sequence *query, *target;
  const char *command; /* NULL: none */
  bool body_only;      /* one pair of many: without what stands once at a file's begin and end */
  int64_t *numbered;   /* with body_only: how many alignments the file has numbered so far */
} write_job;

/* The writers. Output errors are left in the stream's error flag, which the caller examines; write_bam, which
 * writes past the stream, returns them. Errors: CLA_ERROR_MEMORY, CLA_ERROR_OPTION (what the format cannot
 * hold; found before the first byte). */
cla_status write_json(const write_job *job, cla_error *error);
cla_status write_pair(const write_job *job, cla_error *error);
cla_status write_srspair(const write_job *job, cla_error *error);
cla_status write_paf(const write_job *job, cla_error *error);
cla_status write_sam(const write_job *job, cla_error *error);
cla_status write_bam(const write_job *job, cla_error *error);
cla_status write_cigar(const write_job *job, cla_error *error);
cla_status write_blast(const write_job *job, cla_error *error);
cla_status write_blast7(const write_job *job, cla_error *error);
cla_status write_maf(const write_job *job, cla_error *error);
cla_status write_fasta(const write_job *job, cla_error *error);
cla_status write_chain(const write_job *job, cla_error *error);
cla_status write_vcf(const write_job *job, cla_error *error);
cla_status write_cla(const write_job *job, cla_error *error);

/* What stands once at the begin and at the end of a file of many pairs. `command` has no line ends, or is
 * NULL; `pairs` is how many there were. */
void write_maf_head(FILE *file, const char *command);
void write_pair_head(FILE *file, const char *command);
void write_srspair_head(FILE *file, const char *command);
void write_pair_tail(FILE *file, int64_t pairs);
void write_blast7_tail(FILE *file, int64_t pairs);

#endif
