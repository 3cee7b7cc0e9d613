#ifndef HOST_WRITE_SAM_RECORD_H
#define HOST_WRITE_SAM_RECORD_H

#include <htslib/sam.h>
#include <stdio.h>

#include "write/writer.h"

/* The records of SAM as text, or of BAM as bytes. Zero-initialise. */
typedef struct sam_records {
  const write_job *job;
  bool binary;       /* BAM */
  int32_t reference; /* the target's number in the head; in BAM alone */
  size_t next;       /* alignment */
  bool mapped;       /* one was, so that what follows is secondary */
  uint16_t flag;     /* of the record that was made last */
  name_pair names;
  char **places;   /* of pieces, for their SA tags, by alignment; NULL: there is one, or they are no pieces */
  uint32_t *cigar; /* of the current alignment; kept from job to job */
  int64_t cigar_count, cigar_capacity;
} sam_records;

/* Begins a job, after all that the formats cannot hold was looked for: CLA_ERROR_OPTION. CLA_ERROR_MEMORY.
 * Ends with sam_records_end, also after an error. */
cla_status sam_records_begin(sam_records *records, const write_job *job, cla_error *error);

/* Adds the record of the next of the job's alignments to `out`: a line, or BAM's bytes with their count in
 * front. CLA_ERROR_MEMORY. */
cla_status sam_records_next(text_memory *out, sam_records *records, cla_error *error);

/* After it another job may begin. */
void sam_records_end(sam_records *records);

/* Frees what is kept from job to job. */
void sam_records_free(sam_records *records);

/* Where a record of BAM has its numbers, from its first byte on. */
enum bam_places { BAM_REFERENCE_AT = 4, BAM_QUALITY_AT = 13, BAM_FLAG_AT = 18, BAM_HEAD_BYTES = 36 };

/* The targets of a head of SAM, BAM or VCF in their order. Zero-initialise. */
typedef struct head_targets {
  text_memory names; /* each ends with a zero */
  int32_t *lengths;  /* above 0; of a circle's below 0 */
  int64_t count, capacity;
} head_targets;

/* `name` is clean, and `length` above 0. CLA_ERROR_MEMORY. */
cla_status head_targets_add(head_targets *targets, const char *name, int64_t length, cla_error *error);
void head_targets_free(head_targets *targets);

/* SAM's head; `command` has no line ends, or is NULL. CLA_ERROR_MEMORY. */
cla_status sam_head_make(text_memory *out, const head_targets *targets, const char *command,
                         cla_error *error);

/* An output of BAM to `file`, of which htslib, which compresses to a descriptor, gets a copy and closes that.
 * Writes the head. CLA_ERROR_MEMORY, and CLA_ERROR_OUTPUT with errno and without a message; *out may be open
 * then, too, or is NULL. */
cla_status bam_output_open(struct BGZF **out, FILE *file, const head_targets *targets, const char *command,
                           cla_error *error);

/* Where SAM cannot go on: memory, or a text of more than 2^31 letters. */
cla_status sam_out_of_memory(cla_error *error);

/* The head of a VCF file of many pairs, with one sample, "query", because each record names its query.
 * `command` has no line ends, or is NULL. */
void write_vcf_head(FILE *file, const char *command, const head_targets *targets);

#endif
