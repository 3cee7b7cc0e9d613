#ifndef HOST_WRITE_SAM_RECORD_H
#define HOST_WRITE_SAM_RECORD_H

#include <htslib/sam.h>
#include <stdio.h>

#include "write/writer.h"

/* The records of SAM as text, or of BAM as bytes. Zero-initialise. */
typedef struct sam_records {
  const write_job *job;
  bool binary;       /* BAM */
  int32_t reference; /* the target's number in the head; only for BAM */
  size_t next;       /* index of the next alignment */
  bool mapped;       /* a record was mapped, so that further records are secondary */
  uint16_t flag;     /* flag of the last record made */
  name_pair names;
  char **places;   /* by alignment: a piece's entry in SA tags; NULL: one alignment, or the alignments are no
                      pieces */
  uint32_t *cigar; /* CIGAR of the current alignment; the memory is kept from job to job */
  int64_t cigar_count, cigar_capacity;
} sam_records;

/* Begins a job. CLA_ERROR_OPTION for alignments that the formats cannot hold; CLA_ERROR_MEMORY. The caller
 * calls sam_records_end, also after an error. */
cla_status sam_records_begin(sam_records *records, const write_job *job, cla_error *error);

/* Adds the record of the job's next alignment to `out`: a line, or BAM's bytes preceded by their count.
 * CLA_ERROR_MEMORY. */
cla_status sam_records_next(text_memory *out, sam_records *records, cla_error *error);

/* Ends a job; another job may then begin. */
void sam_records_end(sam_records *records);

/* Frees the memory that is kept from job to job. */
void sam_records_free(sam_records *records);

/* Positions of numbers in a record of BAM, from its first byte; number of bytes before the name. */
enum bam_places { BAM_REFERENCE_AT = 4, BAM_QUALITY_AT = 13, BAM_FLAG_AT = 18, BAM_HEAD_BYTES = 36 };

/* The targets of a head of SAM, BAM or VCF in their order. Zero-initialise. */
typedef struct head_targets {
  text_memory names; /* each ends with a zero */
  int32_t *lengths;  /* letters; negative for a circular target */
  int64_t count, capacity;
} head_targets;

/* Adds a target; `name` must be clean, and `length` above 0. CLA_ERROR_MEMORY. */
cla_status head_targets_add(head_targets *targets, const char *name, int64_t length, cla_error *error);
void head_targets_free(head_targets *targets);

/* Makes SAM's head; `command` has no line ends, or is NULL. CLA_ERROR_MEMORY. */
cla_status sam_head_make(text_memory *out, const head_targets *targets, const char *command,
                         cla_error *error);

/* Opens an output of BAM to `file` and writes the head. htslib gets, and later closes, a copy of the file's
 * descriptor. CLA_ERROR_MEMORY, and CLA_ERROR_OUTPUT with errno but without a message; *out is then NULL, or
 * open.
 */
cla_status bam_output_open(struct BGZF **out, FILE *file, const head_targets *targets, const char *command,
                           cla_error *error);

/* Sets and returns the error that memory ran out, or a text has more than 2^31 letters. */
cla_status sam_out_of_memory(cla_error *error);

/* Writes the head of a VCF file of many pairs. The head's only sample is "query", because each record names
 * its query. `command` has no line ends, or is NULL. */
void write_vcf_head(FILE *file, const char *command, const head_targets *targets);

#endif
