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
  bool mapped;       /* a mapped record has been made, so all further records are secondary */
  uint16_t flag;     /* flag of the last record made */
  name_pair names;
  char **places;   /* by alignment: the piece's entry in SA tags; NULL: one alignment, or alignments that are
                      not pieces */
  uint32_t *cigar; /* CIGAR of the current alignment; its memory is used again by the next job */
  int64_t cigar_count, cigar_capacity;
  text_memory margins; /* text of the tag mg of the current alignment, if that has a certificate */
} sam_records;

/* Starts a job. The caller calls sam_records_end, even after an error. CLA_ERROR_OPTION for alignments that
 * SAM and BAM cannot represent; CLA_ERROR_MEMORY. */
cla_status sam_records_begin(sam_records *records, const write_job *job, cla_error *error);

/* Appends the record of the job's next alignment to `out`: a line, or the bytes for BAM, preceded by their
 * number. CLA_ERROR_MEMORY. */
cla_status sam_records_next(text_memory *out, sam_records *records, cla_error *error);

/* Ends a job; another job may then be started. */
void sam_records_end(sam_records *records);

/* Frees the memory that jobs share. */
void sam_records_free(sam_records *records);

/* Positions of numbers in a record of BAM, counted from the first byte, and the number of bytes before the
 * name. */
enum bam_places { BAM_REFERENCE_AT = 4, BAM_QUALITY_AT = 13, BAM_FLAG_AT = 18, BAM_HEAD_BYTES = 36 };

/* The targets in the head of SAM, BAM or VCF, in order. The caller initialises the struct with zeros. */
typedef struct head_targets {
  text_memory names; /* names, each terminated by a zero */
  int32_t *lengths;  /* numbers of letters; negative for a circular target */
  int64_t count, capacity;
} head_targets;

/* Adds a target; `name` must be clean, and `length` above 0. CLA_ERROR_MEMORY. */
cla_status head_targets_add(head_targets *targets, const char *name, int64_t length, cla_error *error);
void head_targets_free(head_targets *targets);

/* Makes SAM's head; `command` has no line ends, or is NULL. CLA_ERROR_MEMORY. */
cla_status sam_head_make(text_memory *out, const head_targets *targets, const char *command,
                         cla_error *error);

/* Opens an output of BAM to `file` and writes the head. htslib uses a copy of the file's descriptor, and
 * closes this copy later. CLA_ERROR_MEMORY; CLA_ERROR_OUTPUT with errno but without a message. After an
 * error, *out is NULL or open. */
cla_status bam_output_open(struct BGZF **out, FILE *file, const head_targets *targets, const char *command,
                           cla_error *error);

/* Sets and returns the error for a lack of memory, or for a text of more than 2^31 letters. */
cla_status sam_out_of_memory(cla_error *error);

/* Writes the head of a VCF file of many pairs. The only sample in the head is "query", because each record
 * contains the name of its query. `command` has no line ends, or is NULL. */
void write_vcf_head(FILE *file, const char *command, const head_targets *targets, bool certified);

#endif
