#ifndef HOST_SEQ_RECORD_READER_H
#define HOST_SEQ_RECORD_READER_H

#include <stdbool.h>
#include <stdint.h>

#include "seq/letter_store.h"
#include "seq/sequence_input.h"

/* Bytes of a description that are kept, including the terminating zero. */
#define RECORD_DESCRIPTION_SIZE 256
#define RECORD_NAME_MOST 65536 /* a longer "name" means that the file is not FASTA */

/* True for blanks and ends of lines. Unlike isspace, it does not depend on the application's locale. */
static inline bool record_space(unsigned char byte) {
  return byte == ' ' || (byte >= '\t' && byte <= '\r');
}

/* A reader of FASTA and FASTQ, record by record. Blank lines, white space within a sequence, lines of any
 * length and FASTQ over several lines are accepted. All records must have the format of the first one. */
typedef struct record_reader {
  sequence_input *input; /* not owned */
  char marker;           /* '>' or '@'; 0 before the first record */
  char *name;            /* owned; first word of the current header, "" if there is none */
  int64_t name_capacity;
  char description[RECORD_DESCRIPTION_SIZE]; /* rest of the current header, or its beginning */
  int64_t records;                           /* number of headers read */
  int64_t bytes; /* bytes read so far from the lines with the current record's letters */
  int64_t line;  /* 1-based line of the next unread byte */
} record_reader;

void record_reader_init(record_reader *reader, sequence_input *input);
void record_reader_free(record_reader *reader);

/* Reads the next header; *found is false at the end of the file. Fails with CLA_ERROR_INPUT (no header at
 * this place, a zero byte in a header, a name that is too long, a failing input) or CLA_ERROR_MEMORY. */
cla_status record_reader_next(record_reader *reader, bool *found, cla_error *error);

/* Reads the current record's letters into `letters`, or skips them if `letters` is NULL. Letters outside the
 * alphabet are not reported here, but by letter_store_finish. Fails with CLA_ERROR_INPUT (FASTQ without its
 * '+' line, or with fewer or more qualities than letters, a failing input) or CLA_ERROR_MEMORY. */
cla_status record_reader_letters(record_reader *reader, letter_store *letters, cla_error *error);

#endif
