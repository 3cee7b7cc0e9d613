#ifndef HOST_WRITE_SAM_RECORD_H
#define HOST_WRITE_SAM_RECORD_H

#include <htslib/sam.h>

#include "write/name_pair.h"

/* The header and the records of SAM and BAM, by htslib. */
typedef struct sam_records {
  const write_job *job;
  sam_hdr_t *header;
  bam1_t *record; /* of the alignment that sam_records_next took */
  size_t next;    /* alignment */
  bool mapped;    /* one was, so that what follows is secondary */
  name_pair names;
  char *letters;   /* of the query on the alignment's strand, not zero-terminated */
  uint32_t *cigar; /* of the current alignment */
  int64_t cigar_count, cigar_capacity;
  char *difference; /* of the current alignment: the MD tag */
  size_t difference_length;
} sam_records;

/* Makes the header, after all that the formats cannot hold was looked for: CLA_ERROR_OPTION.
 * CLA_ERROR_MEMORY. Ends with sam_records_end, also after an error. */
cla_status sam_records_begin(sam_records *records, const write_job *job, cla_error *error);

/* Makes the record of the next of the job's alignments. CLA_ERROR_MEMORY. */
cla_status sam_records_next(sam_records *records, cla_error *error);

void sam_records_end(sam_records *records);

/* Where htslib cannot go on: memory, or a text of more than 2^31 letters. */
cla_status sam_out_of_memory(cla_error *error);

#endif
