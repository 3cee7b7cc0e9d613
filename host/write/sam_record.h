#ifndef HOST_WRITE_SAM_RECORD_H
#define HOST_WRITE_SAM_RECORD_H

#include <htslib/kstring.h>
#include <htslib/sam.h>
#include <stdio.h>

#include "write/writer.h"

/* The header and the records of SAM and BAM, by htslib. */
typedef struct sam_records {
  const write_job *job;
  sam_hdr_t *header;
  bool shared;    /* the header is that of many pairs */
  int reference;  /* the target's number in it */
  bam1_t *record; /* of the alignment that sam_records_next took */
  size_t next;    /* alignment */
  bool mapped;    /* one was, so that what follows is secondary */
  name_pair names;
  char *letters;   /* of the query on the alignment's strand, not zero-terminated; behind them qualities */
  uint32_t *cigar; /* of the current alignment */
  int64_t cigar_count, cigar_capacity;
  char **places; /* of pieces, for their SA tags, by alignment; NULL: there is one, or they are no pieces */
  kstring_t difference; /* of the current alignment: the MD tag */
} sam_records;

/* Makes the header, after all that the formats cannot hold was looked for: CLA_ERROR_OPTION.
 * CLA_ERROR_MEMORY. Ends with sam_records_end, also after an error. */
cla_status sam_records_begin(sam_records *records, const write_job *job, cla_error *error);

/* The same for one pair of many: the target is added to `header` if it is not there, and the header is left
 * to the caller. */
cla_status sam_records_begin_shared(sam_records *records, const write_job *job, sam_hdr_t *header,
                                    cla_error *error);

/* The parts of a header: its first line, a target unless it is there or has no letters (`name` is clean), and
 * the program. `command` may be NULL. */
cla_status sam_header_begin(sam_hdr_t **out, cla_error *error);
cla_status sam_header_target(int *number, sam_hdr_t *header, const char *name, int64_t length,
                             cla_error *error);
cla_status sam_header_program(sam_hdr_t *header, const char *command, cla_error *error);

/* Makes the record of the next of the job's alignments. CLA_ERROR_MEMORY. */
cla_status sam_records_next(sam_records *records, cla_error *error);

void sam_records_end(sam_records *records);

/* BAM to `file`, of which htslib, which compresses to a descriptor, gets a copy and closes that.
 * CLA_ERROR_MEMORY, and CLA_ERROR_OUTPUT with errno and without a message. */
cla_status sam_open_bam(htsFile **out, FILE *file, cla_error *error);

/* Where htslib cannot go on: memory, or a text of more than 2^31 letters. */
cla_status sam_out_of_memory(cla_error *error);

/* The head of a VCF file of many pairs: the targets that `targets` lists, and one sample, "query", because
 * each record names its query. `command` has no line ends, or is NULL. */
void write_vcf_head(FILE *file, const char *command, const sam_hdr_t *targets);

#endif
